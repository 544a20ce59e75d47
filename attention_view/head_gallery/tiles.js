// A tile for each head, and the groups that they stand in: by what a head looks at, or by its place in the model.

/** A tile: an option of the list of heads, with its map. */
function tileOf(head) {
  const map = element("img", "", { alt: "", draggable: "false" });
  const root = element("div", "tile hatch", { role: "option", tabindex: -1, "aria-selected": "false" }, map);
  root.dataset.head = head;
  return { root, map };
}

/** "layer 13, head 8" */
function nameOf(data, head) {
  return `layer ${Math.floor(head / data.heads)}, head ${head % data.heads}`;
}

/** The groups by what heads look at: each has a name, why, its heads, and whether it folds. */
function groupsByRole(data) {
  return data.groups
    .map(([name, why, heads], place) => ({ name, why, heads, folds: data.folding.includes(place) }))
    .filter(({ heads }) => heads.length);
}

/** The groups by place: a layer each. */
function groupsByPlace(data) {
  const all = Array.from({ length: data.layers * data.heads }, (_, head) => head);
  return Array.from({ length: data.layers }, (_, layer) => ({
    name: `layer ${layer}`,
    heads: all.slice(layer * data.heads, (layer + 1) * data.heads),
  }));
}

/** A group with its heading, which is also what those who hear it are told. shown: the heads that are shown of it now */
function groupPart({ name, why = null, heads, folds = false }, tiles, shown) {
  const heading = element("div", "heading", { "aria-hidden": "true" }, element("bdi", "name", {}, name));
  const count = heads.length === 1 ? "1 head" : `${heads.length} heads`;
  if (why !== null) heading.append(element("span", "count", {}, count), element("span", "why", {}, why));
  const label = why === null ? name : `${name}, ${count}. ${why}`;
  const list = element("div", "tiles", {}, ...heads.map((head) => tiles[head].root));
  for (const head of heads) tiles[head].root.hidden = !shown.includes(head);
  if (folds) list.append(morePart({ name, heads }, shown.length === heads.length));
  return element("div", "group", { role: "group", "aria-label": label }, heading, list);
}
