// A sheet of SVG for what the browser has drawn: the page's colour behind it, its caption below.

const EDGE = 16; // pixels around the picture
const CAPTION = 13; // pixels, the size of the caption's text
const NS = "http://www.w3.org/2000/svg";

/** Save something that stands on the page as SVG or PNG. Gives the file's name. */
async function saveDrawn({ where, name, caption, file }, kind) {
  const sheet = where.plot === undefined ? markupSheet(where, name, caption) : plotSheet(where.plot, caption);
  const svg = new XMLSerializer().serializeToString(sheet);
  const content = kind === "png" ? await painted(svg) : new Blob([svg], { type: "image/svg+xml" });
  return save(content, `${file}.${kind}`);
}

/** `parts` of a place on the page with their size, as a picture by itself. */
function sheetOf(place, parts, { width, height }, title, caption) {
  const { fontFamily } = getComputedStyle(place);
  const [page, quiet] = ["--av-page", "--av-quiet"].map((name) => resolved(place, name));
  const lines = wrapped(caption, width, `${CAPTION}px ${fontFamily}`);
  const wide = Math.ceil(width + 2 * EDGE);
  const tall = Math.ceil(height + 2 * EDGE + 8 + lines.length * 1.4 * CAPTION);
  const sheet = drawn("svg", { width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}`, role: "img" });
  const figure = drawn("g", { transform: `translate(${EDGE} ${EDGE})` });
  figure.append(...parts);
  sheet.append(drawn("title", {}, title), drawn("rect", { width: wide, height: tall, fill: page }), figure);
  lines.forEach((line, n) => {
    const y = EDGE + height + 8 + (n + 1) * 1.4 * CAPTION - 4;
    sheet.append(drawn("text", { x: EDGE, y, fill: quiet, "font-size": CAPTION, "font-family": fontFamily }, line));
  });
  return sheet;
}

/** A colour of the palette as it is in the theme of an element: rgb(…). */
function resolved(place, name) {
  const probe = element("span", "", { style: `color: var(${name})`, hidden: "" });
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function wrapped(text, room, font) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font;
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && pen.measureText(longer).width <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function drawn(tag, attributes = {}, text = "") {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}
