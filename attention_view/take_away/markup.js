// Markup as SVG: every box that has a colour, a line or hatching, and every line of text, each at its place.

const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

function markupSheet(where, name, caption) {
  const block = blockAt(where);
  if (!block) throw new Error("this picture is not on the page any more.");
  const around = block.getBoundingClientRect();
  const parts = [hatch(block), ...boxesAndTexts(block, around)];
  const size = { width: Math.max(around.width, block.scrollWidth), height: around.height };
  return sheetOf(block, parts, size, name, caption);
}

function blockAt({ follows, markup }) {
  if (follows !== undefined) return document.querySelectorAll(".stMain .av-follows[data-follows-ask]")[follows];
  const letters = (block) => block.textContent.replace(/\s+/g, "");
  return [...document.querySelectorAll(".stMain .stHtml")].find((block) => letters(block).startsWith(markup));
}

function* boxesAndTexts(place, around) {
  const style = getComputedStyle(place);
  if (style.display === "none" || style.visibility === "hidden" || style.clipPath !== "none") return;
  const box = at(place.getBoundingClientRect(), around);
  if (style.display !== "contents") {
    yield* boxOf(box, style);
    yield* markBefore(place, box);
  }
  for (const child of place.childNodes) {
    if (child.nodeType === Node.ELEMENT_NODE) yield* boxesAndTexts(child, around);
    if (child.nodeType === Node.TEXT_NODE) yield* linesOf(child, style, around);
  }
}

/** The background, the hatching, the lines and the frame of a box. */
function* boxOf(box, style) {
  const round = { rx: parseFloat(style.borderTopLeftRadius) || 0 };
  const [fill, opacity] = colourOf(style.backgroundColor);
  if (opacity) yield drawn("rect", { ...box, ...round, fill, "fill-opacity": opacity });
  if (style.backgroundImage.startsWith("repeating-")) yield drawn("rect", { ...box, ...round, fill: "url(#hatch)" });
  for (const [side, x, y, width, height] of [
    ["Top", 0, 0, 1, 0], ["Right", 1, 0, 0, 1], ["Bottom", 0, 1, 1, 0], ["Left", 0, 0, 0, 1]]) {
    const thick = parseFloat(style[`border${side}Width`]);
    const [stroke, strength] = colourOf(style[`border${side}Color`]);
    if (!thick || !strength || style[`border${side}Style`] === "none") continue;
    yield drawn("rect", {
      x: box.x + x * (box.width - thick), y: box.y + y * (box.height - thick),
      width: width ? box.width : thick, height: height ? box.height : thick, fill: stroke, "fill-opacity": strength,
    });
  }
  const frame = /^(.*\)) 0px 0px 0px (\d+(?:\.\d+)?)px inset$/.exec(style.boxShadow);
  if (!frame) return;
  const half = frame[2] / 2;
  const inside = { x: box.x + half, y: box.y + half, width: box.width - 2 * half, height: box.height - 2 * half };
  yield drawn("rect", { ...inside, ...round, fill: "none", stroke: colourOf(frame[1])[0], "stroke-width": frame[2] });
}

/** The coloured mark before a title. */
function* markBefore(place, box) {
  const mark = getComputedStyle(place, "::before");
  const [fill, opacity] = colourOf(mark.backgroundColor);
  if (mark.content === "none" || mark.display !== "inline-block" || !opacity) return;
  const [width, height] = [parseFloat(mark.width), parseFloat(mark.height)];
  const line = parseFloat(getComputedStyle(place).lineHeight) || 1.4 * parseFloat(mark.fontSize);
  yield drawn("rect", { x: box.x, y: box.y + (line - height) / 2, width, height, rx: 2, fill });
}

/** A text, a piece for each line that it takes on the page. */
function* linesOf(node, style, around) {
  const lines = [];
  for (const word of node.data.matchAll(/\S+/g)) {
    const range = document.createRange();
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    const box = at(range.getBoundingClientRect(), around);
    if (!box.width) continue;
    const last = lines.at(-1);
    if (last && Math.abs(last.box.y - box.y) < 2) last.words.push(word[0]);
    else lines.push({ box, words: [word[0]] });
  }
  brush.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const below = brush.measureText("x").fontBoundingBoxDescent;
  for (const { box, words } of lines) {
    yield drawn("text", {
      x: box.x, y: box.y + box.height - below, fill: colourOf(style.color)[0], "font-size": style.fontSize,
      "font-weight": style.fontWeight, "font-family": style.fontFamily, "font-style": style.fontStyle,
      style: "font-variant-numeric: tabular-nums",
    }, words.join(" "));
  }
}

function hatch(place) {
  const made = drawn("pattern", {
    id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)",
  });
  made.append(drawn("rect", { width: 1.5, height: 6, fill: resolved(place, "--av-hatch") }));
  return made;
}

function at(box, around) {
  return { x: box.x - around.x, y: box.y - around.y, width: box.width, height: box.height };
}

/** Any colour that CSS knows as #rrggbb, and how opaque it is from 0 to 1. */
function colourOf(css) {
  brush.clearRect(0, 0, 1, 1);
  brush.fillStyle = css;
  brush.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = brush.getImageData(0, 0, 1, 1).data;
  return [`#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`, alpha / 255];
}
