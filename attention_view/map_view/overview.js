// The whole map, a dot for each block of tokens: by the largest weight or by the sum, as chosen, and never by the mean.

const LARGEST_DOT = 36; // pixels

/** Build the overview. Click, or drag with the mouse, or arrow keys: the lens goes there. */
function overviewPart(map, acts, probe) {
  const turned = map.layout === "columns";
  const [rows, columns] = map.n_blocks;
  const [width, height] = turned ? [rows, columns] : [columns, rows];
  const canvas = element("canvas", "dots", { width, height, "aria-hidden": "true" });
  const [frame, line] = [element("span", "frame"), element("span", "asked")];
  const stage = element("div", "stage hatch", {
    role: "application", tabindex: 0, "aria-label": "Overview of the whole map", "aria-roledescription": "map",
    "aria-description": "Arrow keys move the lens by a block; the line below says the chosen block.",
  }, canvas, line, frame);
  stage.style.aspectRatio = `${width} / ${height}`;
  stage.style.setProperty("--ratio", width / height);
  stage.style.setProperty("--widest", `${LARGEST_DOT * width}px`);
  const at = (event) => {
    const box = stage.getBoundingClientRect();
    const x = clamp(Math.floor(((event.clientX - box.left - 1) / (box.width - 2)) * width), width);
    const y = clamp(Math.floor(((event.clientY - box.top - 1) / (box.height - 2)) * height), height);
    return turned ? [x, y] : [y, x];
  };
  stage.addEventListener("click", (event) => acts.block(...at(event)));
  stage.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    if (event.buttons === 1) acts.block(...at(event), { later: true });
    else acts.lookBlock(at(event));
  });
  stage.addEventListener("pointerleave", () => acts.lookBlock(null));
  stage.addEventListener("keydown", (event) => {
    const step = arrowStep(event, turned);
    if (step) acts.move(step[0] * map.tokens, step[1] * map.tokens);
    else if (!acts.zoomKey(event)) return;
    event.preventDefault();
  });
  return {
    root: stage,
    paint({ by, faint }, shades) {
      const pixels = new ImageData(width, height);
      const into = new Uint32Array(pixels.data.buffer);
      const most = by === "max" ? 1 : map.tokens;
      for (let r = 0; r < rows; r += 1) {
        for (let c = 0; c < columns; c += 1) {
          const value = blockValue(map, by, r, c);
          if (value !== null) into[turned ? c * rows + r : r * columns + c] = shades.pixels[stepOf(value, most, faint)];
        }
      }
      canvas.getContext("2d").putImageData(pixels, 0, 0);
      stage.dataset.by = by;
    },
    show({ ask }, { top, left, size }) {
      const [high, wide] = [Math.min(size, map.n_queries), Math.min(size, map.n_keys)];
      frame.hidden = high === map.n_queries && wide === map.n_keys; // all of it is in the lens
      place(frame, [left, wide, map.n_keys], [top, high, map.n_queries], turned);
      place(line, [0, map.n_keys, map.n_keys], [ask, 1, map.n_queries], turned);
    },
  };
}

/** Put a mark over some keys and queries of a stage, in percent of its sides. */
function place(mark, [key, keys, allKeys], [query, queries, allQueries], turned) {
  const along = (from, n, all) => [`${(100 * from) / all}%`, `${(100 * n) / all}%`];
  const [x, y] = [along(key, keys, allKeys), along(query, queries, allQueries)];
  const [[left, width], [top, height]] = turned ? [y, x] : [x, y];
  Object.assign(mark.style, { left, width, top, height });
}

function clamp(place, n) {
  return Math.min(Math.max(place, 0), n - 1);
}

/** The step [queries, keys] of an arrow key, or null. */
function arrowStep(event, turned) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  return step ? (turned ? [step[1], step[0]] : step) : null;
}
