// What stands around the parts: titles, switches, the legend, and the lines that are always there.

/** Everything around the parts. */
function viewFrame(map) {
  const made = {
    live: element("p", "hidden", { "aria-live": "polite" }),
    probe: element("span", "probe", { "aria-hidden": "true" }),
    reading: element("div", "reading"),
    maps: element("div", "maps"),
    pair: element("p", "pair"),
    blockLine: element("p", "block-line"),
    notice: element("p", "notice"),
    leftOut: element("p", "left-out"),
    caption: element("p", "caption"),
    strongestShade: element("span", "strongest-shade"),
    lensBox: element("div", "lens-box"),
  };
  made.probe.append(element("span"));
  const { live, probe, caption, notice, leftOut, reading, pair, maps } = made;
  const root = element("div", "picture map-view", { role: "group" }, live, probe, caption, notice, leftOut, reading, pair, maps);
  const frame = { ...made, probe: probe.firstChild, watched: probe, root };
  fillAround(frame, map);
  return frame;
}

/** The words around the parts that are of one head. */
function fillAround({ root, caption, notice, leftOut }, map) {
  root.setAttribute("aria-label", map.caption ? `Map of a long text: ${map.caption}` : "Map of a long text");
  setText(caption, map.caption);
  setText(notice, map.notice);
  setText(leftOut, map.left_out);
}

function partsOf(map, acts, probe) {
  const parts = {};
  if (map.parts.includes("text")) {
    const same = map.key_tokens === map.query_tokens;
    const roles = same ? [{ asks: true, shades: true }] : [{ asks: true }, { shades: true }];
    parts.strips = roles.map((role) => stripPart(map, role, acts));
    parts.strongest = strongestPart(map, map.opens, acts);
  }
  if (map.parts.includes("map")) {
    parts.overview = overviewPart(map, acts, probe);
    parts.lens = lensPart(map, acts);
  }
  return parts;
}

function placeParts(frame, map, { strips, strongest, overview, lens }, acts, state) {
  if (strips) {
    const same = strips.length === 1;
    const [pick, more] = ["query (asks): pick a token", "the stronger the shade, the more weight"];
    const titles = same ? [heading("query", pick, "key", `looked at: ${more}`)] : [heading("query", pick), heading("key", `key (is looked at): ${more}`)];
    const texts = strips.flatMap((strip, n) => [titles[n], strip.root]);
    texts.splice(-1, 0, element("p", "legend of-text", {}, element("span", "", {}, "0"), element("span", "scale"), frame.strongestShade));
    frame.reading.append(element("div", "texts", {}, ...texts), strongest.root);
  }
  if (!overview) return;
  frame.zoomed = element("span", "zoomed");
  frame.dots = element("p", "dots-words");
  frame.most = element("span");
  frame.middle = element("span", "middle");
  const turned = map.layout === "columns";
  frame.lensBox.append(bar(zoomButtons(acts, frame.zoomed)), lens.root);
  frame.maps.append(
    faintSwitch(acts, state.faint),
    element("div", "overview-box", {},
      bar(map.tokens > 1 ? bySwitch(acts, state.by) : element("span", "zoomed", {}, "the whole map")),
      heading(turned ? "query" : "key", turned ? "query (asks) →" : "key (is looked at) →"),
      element("div", "with-side", {},
        heading(turned ? "key" : "query", turned ? "key (is looked at) →" : "query (asks) →"), overview.root),
      frame.blockLine, frame.dots, legend(frame)),
    frame.lensBox);
}

function heading(kind, text, otherKind, other) {
  const made = element("p", `heading ${kind}-heading`, {}, text);
  if (!other) return made;
  return element("p", "heading", {}, element("span", `${kind}-heading`, {}, text), " · ", element("span", `${otherKind}-heading`, {}, other));
}

function bar(...parts) {
  return element("div", "bar-of-controls", {}, ...parts);
}

function bySwitch(acts, by) {
  const choice = (value, text) => {
    const input = element("input", "", { type: "radio", name: "by", value });
    input.checked = value === by;
    input.addEventListener("change", () => acts.by(value));
    return element("label", "", {}, input, text);
  };
  return element("div", "by", { role: "radiogroup", "aria-label": "A dot shows" },
    element("span", "", { "aria-hidden": "true" }, "A dot shows"), choice("max", "the largest weight"), choice("sum", "the sum"));
}

function zoomButtons(acts, zoomed) {
  const button = (text, label, step) => {
    const made = element("button", "zoom", { type: "button", "aria-label": label, title: label }, text);
    made.addEventListener("click", () => acts.zoom(step));
    return made;
  };
  return element("div", "zoom-buttons", {},
    button("−", "Zoom out: more tokens", 1), button("+", "Zoom in: fewer tokens", -1), zoomed);
}

/** Half of the shade at a quarter of the weight: the square root, for who looks for faint weights. */
function faintSwitch(acts, isOn) {
  const input = element("input", "", { type: "checkbox" });
  input.checked = isOn;
  input.addEventListener("change", () => acts.faint(input.checked));
  return element("label", "faint", {}, input, "Shade faint weights more strongly");
}

function legend({ most, middle }) {
  return element("div", "legend", { "aria-hidden": "true" },
    element("span", "", {}, "0"), element("span", "scale", {}, middle), most,
    element("span", "hatch sample"), element("span", "", {}, "masked"));
}

/** The fixed lines: the pair and the block that the mouse is on, or else the chosen ones. */
function fillLines(frame, map, state) {
  if (!map.n_queries || !map.n_keys) return;
  setText(frame.strongestShade, strongestShadeWords(map, state.ask));
  const { i, j } = state.look ?? { i: state.ask, j: state.key };
  fillPair(frame.pair, [map.query_tokens[i], i], [map.key_tokens[j], j], pairWords(map, i, j));
  if (!frame.dots) return;
  const block = state.block ?? [i, j].map((place) => Math.floor(place / map.tokens));
  setText(frame.blockLine, blockWords(map, state.by, ...block));
  setText(frame.dots, dotWords(map, state.by));
  const most = state.by === "max" ? 1 : map.tokens;
  setText(frame.most, String(most));
  setText(frame.middle, state.faint ? String(most / 4) : "");
  setText(frame.zoomed, zoomWords(map, state.window.size));
}

function fillPair(line, query, key, number) {
  if (!line.firstChild) {
    line.append(element("bdi", "query-heading"), " → ", element("bdi", "key-heading"), ": ", element("strong"));
  }
  const [asks, isLookedAt, says] = line.children;
  setPlaced(asks, ...query);
  setPlaced(isLookedAt, ...key);
  setText(says, number);
}

function zoomWords(map, size) {
  return `the lens: ${Math.min(size, map.n_queries)} × ${Math.min(size, map.n_keys)} tokens`;
}

function spokenPair(map, { ask, key }) {
  return `${placed(map.query_tokens[ask], ask)} looks at ${placed(map.key_tokens[key], key)}: ${pairWords(map, ask, key)}`;
}
