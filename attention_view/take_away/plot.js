// A Plotly figure as SVG: its layers as they stand on the page, on one sheet, with the caption below.

const EDGE = 16; // pixels around the figure
const CAPTION = 13; // pixels, the size of the caption's text
const NS = "http://www.w3.org/2000/svg";

/** Save a figure of the page as SVG or PNG. Gives the file's name. */
async function savePlot({ plot, caption, file }, kind) {
  const svg = new XMLSerializer().serializeToString(plotSheet(plot, caption));
  const content = kind === "png" ? await painted(svg) : new Blob([svg], { type: "image/svg+xml" });
  return save(content, `${file}.${kind}`);
}

function plotSheet(alt, caption) {
  const chart = [...document.querySelectorAll('[data-testid="stPlotlyChart"]')]
    .find((one) => one.getAttribute("aria-label") === alt.trim());
  const layers = [...(chart?.querySelectorAll("svg.main-svg") ?? [])];
  if (!layers.length) throw new Error("this figure is not on the page any more.");
  const { width, height } = layers[0].getBoundingClientRect();
  const style = getComputedStyle(chart);
  const [page, quiet] = ["--av-page", "--av-quiet"].map((name) => resolved(chart, name));
  const lines = wrapped(caption, width, `${CAPTION}px ${style.fontFamily}`);
  const tall = Math.ceil(height + 2 * EDGE + 8 + lines.length * 1.4 * CAPTION);
  const wide = Math.ceil(width + 2 * EDGE);
  const sheet = drawn("svg", { xmlns: NS, width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}`, role: "img" });
  const title = drawn("title");
  title.textContent = alt;
  const figure = drawn("g", { transform: `translate(${EDGE} ${EDGE})` });
  for (const layer of layers) for (const part of layer.children) {
    if (!part.matches(".hoverlayer, .zoomlayer")) figure.append(part.cloneNode(true));
  }
  sheet.append(title, drawn("rect", { width: wide, height: tall, fill: page }), figure);
  lines.forEach((line, n) => {
    const y = EDGE + height + 8 + (n + 1) * 1.4 * CAPTION - 4;
    const text = drawn("text", { x: EDGE, y, fill: quiet, "font-size": CAPTION, "font-family": style.fontFamily });
    text.textContent = line;
    sheet.append(text);
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

function drawn(tag, attributes = {}) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) if (name !== "xmlns") made.setAttribute(name, value);
  return made;
}
