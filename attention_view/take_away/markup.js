// Markup as SVG: every box that has a colour, a line or hatching, and every line of text, each at its place.

const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

function markupSheet(where, name, caption) {
  const block = blockAt(where);
  if (!block) throw new Error("this picture is not on the page any more.");
  const around = block.getBoundingClientRect();
  const parts = [...boxesAndTexts(block, around)];
  const width = Math.max(200, ...parts.map((part) => part.right ?? 0)); // as far as there is something
  return sheetOf(block, [hatch(block), ...parts], { width, height: around.height }, name, caption);
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
  if (opacity) yield rect({ ...box, ...round, fill, "fill-opacity": opacity });
  if (style.backgroundImage.startsWith("repeating-")) yield drawn("rect", { ...box, ...round, fill: "url(#hatch)" });
  yield* stretches(box, style);
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

/** A bar that is a background of its own length, and a background of two halves. */
function* stretches(box, style) {
  const shade = "((?:rgba?|color)\\([^)]*\\)|#\\w+)";
  const bar = new RegExp(`^linear-gradient\\(${shade} 0px`).exec(style.backgroundImage);
  const halves = new RegExp(`^linear-gradient\\(to right, ${shade} 50%, ${shade} 50%\\)$`).exec(style.backgroundImage);
  const share = parseFloat(style.backgroundSize) / 100;
  if (bar && share > 0) yield drawn("rect", { ...box, width: share * box.width, fill: colourOf(bar[1])[0] });
  for (const n of halves ? [0, 1] : []) {
    const half = { x: box.x + (n * box.width) / 2, width: box.width / 2 };
    yield drawn("rect", { ...box, ...half, fill: colourOf(halves[n + 1])[0] });
  }
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
    let line = lines.at(-1);
    if (!line || Math.abs(line.box.y - box.y) >= 2) lines.push(line = { box, words: [] });
    line.words.push(word[0]);
    line.right = box.x + box.width;
  }
  brush.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const below = brush.measureText("x").fontBoundingBoxDescent;
  const upright = style.writingMode !== "horizontal-tb"; // set on end
  const struck = node.parentElement.closest("s") ? { "text-decoration": "line-through" } : {};
  for (const { box, words, right } of lines) {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const text = drawn("text", {
      ...(upright ? { x, y, transform: `rotate(-90 ${x} ${y})`, "text-anchor": "middle", dy: "0.35em" } :
        { x: box.x, y: box.y + box.height - below }),
      fill: colourOf(style.color)[0], "font-size": style.fontSize,
      "font-weight": style.fontWeight, "font-family": style.fontFamily, "font-style": style.fontStyle,
      style: "font-variant-numeric: tabular-nums", ...struck,
    }, words.join(" "));
    yield Object.assign(text, { right });
  }
}

function rect(attributes) {
  return Object.assign(drawn("rect", attributes), { right: attributes.x + attributes.width });
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
