// The lens: a window of true cells, one a weight, with the names of their tokens.

const NAME = 88; // pixels for the names on the left and on top
const LEGIBLE = 16; // pixels that a name needs across, from the top of a d to the foot of a g
const ROOMY = 34; // pixels of a cell that has room for its number
const small = document.createElement("canvas"); // a pixel for each cell, to be painted larger

/** Build the lens. Click or arrow keys choose a cell; plus and minus show fewer or more tokens. */
function lensPart(map, acts) {
  const turned = map.layout === "columns";
  const canvas = element("canvas", "", { "aria-hidden": "true" });
  const [row, cell] = [element("span", "row-frame"), element("span", "cell-frame")];
  const stage = element("div", "cells hatch", {
    role: "application", tabindex: 0, "aria-label": "Weights of single tokens", "aria-roledescription": "map",
    "aria-description": "Arrow keys choose a cell; Home and End go to the first and last key; plus and minus zoom.",
  }, canvas, row, cell);
  const [side, top] = [element("div", "names side"), element("div", "names top")];
  const root = element("div", "lens", { "aria-label": "Lens", role: "group" }, top, side, stage);
  let seen = null; // the window as it was drawn last
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    const x = Math.floor((event.clientX - box.left) / seen.pixels);
    const y = Math.floor((event.clientY - box.top) / seen.pixels);
    const [i, j] = turned ? [x, y] : [y, x];
    return [clamp(i, seen.queries) + seen.top, clamp(j, seen.keys) + seen.left];
  };
  stage.addEventListener("click", (event) => acts.choose(...at(event)));
  stage.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const [i, j] = at(event);
    acts.look({ i, j });
  });
  stage.addEventListener("pointerleave", () => acts.look(null));
  stage.addEventListener("keydown", (event) => {
    const step = arrowStep(event, turned);
    if (step) acts.move(...step);
    else if (!acts.lensKey(event) && !acts.zoomKey(event)) return;
    event.preventDefault();
  });
  return {
    root,
    show({ ask, key, faint }, { top: from, left, size }, shades, room) {
      const [queries, keys] = [Math.min(size, map.n_queries), Math.min(size, map.n_keys)];
      const pixels = Math.max(Math.min(Math.floor((room - NAME - 2) / Math.min(size, Math.max(queries, keys))), 56), 2);
      seen = { top: from, left, queries, keys, pixels, faint };
      paintCells(map, canvas, seen, shades, turned);
      nameCells(map, { side, top }, seen, { ask, key }, turned);
      root.style.setProperty("--cell", `${pixels}px`);
      place(row, [0, keys, keys], [ask - from, 1, queries], turned);
      place(cell, [key - left, 1, keys], [ask - from, 1, queries], turned);
    },
  };
}

/** Paint the cells; masked ones stay clear, so that the hatching behind them is seen. */
function paintCells(map, canvas, seen, shades, turned) {
  const { queries, keys, pixels } = seen;
  const [across, down] = turned ? [queries, keys] : [keys, queries];
  const pen = penOf(canvas, across * pixels, down * pixels);
  pen.drawImage(smallPicture(map, seen, shades, turned, across, down), 0, 0, across * pixels, down * pixels);
  if (pixels > 6) {
    pen.fillStyle = cssOf(shades.pixels[0]);
    for (let x = 1; x < across; x += 1) pen.fillRect(x * pixels - 1, 0, 1, down * pixels);
    for (let y = 1; y < down; y += 1) pen.fillRect(0, y * pixels - 1, across * pixels, 1);
  }
  if (map.hide_first && seen.left === 0) strikeFirst(map, pen, seen, shades, turned);
  if (pixels >= ROOMY) writeNumbers(map, pen, seen, shades, turned);
}

/** A pen for a canvas of so many pixels of the page, as sharp as the screen. */
function penOf(canvas, width, height) {
  const dense = window.devicePixelRatio || 1;
  const [across, down] = [Math.round(width * dense), Math.round(height * dense)];
  if (canvas.width !== across || canvas.height !== down) {
    Object.assign(canvas, { width: across, height: down });
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(dense, 0, 0, dense, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.imageSmoothingEnabled = false; // no shade is a mixture of two
  return pen;
}

/** The cells, a pixel each. */
function smallPicture(map, { top, left, queries, keys, faint }, shades, turned, across, down) {
  const pixels = new ImageData(across, down);
  const into = new Uint32Array(pixels.data.buffer);
  for (let i = 0; i < queries; i += 1) {
    for (let j = 0; j < keys; j += 1) {
      const weight = weightOf(map, top + i, left + j);
      if (weight === null) continue;
      const step = map.hide_first && left + j === 0 ? 0 : stepOf(weight, 1, faint);
      into[turned ? j * across + i : i * across + j] = shades.pixels[step];
    }
  }
  small.width = across;
  small.height = down;
  small.getContext("2d").putImageData(pixels, 0, 0);
  return small;
}

/** The key that is left out: its cells have no shade and are not masked, but struck through. */
function strikeFirst(map, pen, { top, queries, pixels }, { quiet }, turned) {
  pen.fillStyle = quiet;
  const seeing = Array.from({ length: queries }, (_, i) => i).filter((i) => isVisible(map, top + i, 0));
  for (const i of seeing) {
    if (turned) pen.fillRect(i * pixels, pixels / 2 - 0.5, pixels, 1);
    else pen.fillRect(pixels / 2 - 0.5, i * pixels, 1, pixels);
  }
}

function writeNumbers(map, pen, { top, left, queries, keys, pixels, faint }, shades, turned) {
  Object.assign(pen, { font: "12px system-ui, sans-serif", textAlign: "center" });
  for (let i = 0; i < queries; i += 1) {
    for (let j = 0; j < keys; j += 1) {
      const weight = weightOf(map, top + i, left + j);
      if (weight === null || (map.hide_first && left + j === 0)) continue;
      const isDeep = stepOf(weight, 1, faint) / STEPS > (shades.isDark ? DEEP.dark : DEEP.light);
      pen.fillStyle = isDeep === shades.isDark ? "#000" : "#fff";
      const [x, y] = turned ? [i, j] : [j, i];
      pen.fillText(weight === 0 ? "0" : shortNumber(weight), (x + 0.5) * pixels, (y + 0.5) * pixels + 4);
    }
  }
}

function cssOf(pixel) {
  return `rgb(${pixel & 255} ${(pixel >> 8) & 255} ${(pixel >> 16) & 255})`;
}

/** The names beside the cells: of all that have room, and of the chosen ones always. */
function nameCells(map, { side, top }, { top: from, left, queries, keys, pixels }, { ask, key }, turned) {
  const ofQueries = { tokens: map.query_tokens, from, n: queries, chosen: ask - from, kind: "query" };
  const ofKeys = { tokens: map.key_tokens, from: left, n: keys, chosen: key - left, kind: "key" };
  fillNames(side, turned ? ofKeys : ofQueries, pixels);
  fillNames(top, turned ? ofQueries : ofKeys, pixels);
}

function fillNames(box, { tokens, from, n, chosen, kind }, pixels) {
  const every = Math.ceil(LEGIBLE / pixels);
  while (box.children.length < n) box.append(element("bdi"));
  [...box.children].forEach((name, place) => {
    const far = Math.abs(place - chosen) >= every;
    const shown = place === chosen || (place < n && far && place % every === 0);
    name.hidden = !shown;
    if (!shown) return;
    setToken(name, tokens[from + place]);
    name.style.setProperty("--at", place);
    name.className = place === chosen ? `chosen ${kind}` : "";
  });
}
