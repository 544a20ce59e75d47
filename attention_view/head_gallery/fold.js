// Groups of which one line is shown until the reader asks for all: their maps look alike, and there are many.

const GAP = 6; // px between tiles, see tiles.css
const EDGE = 16; // px beside the tiles of a list, both sides together
const wholes = new Map(); // by the gallery's key: the names of the groups that the reader has asked for

/** How many tiles of so many px fit into a line of the list. */
function perLine(list, wide) {
  return Math.max(4, Math.floor((list.clientWidth - EDGE + GAP) / (wide + GAP)));
}

/** The groups that the reader has asked for, by name. */
function wholeGroups(key) {
  if (!wholes.has(key)) wholes.set(key, new Set());
  return wholes.get(key);
}

/** The heads of a group that one line shows beside its last tile, which is two wide: those to be kept, and the first. */
function oneLine(heads, line, isKept) {
  if (heads.length <= line) return heads;
  const kept = heads.filter(isKept);
  const others = heads.filter((head) => !isKept(head)).slice(0, Math.max(0, line - 2 - kept.length));
  return heads.filter((head) => isKept(head) || others.includes(head));
}

/** The last tile of a group that folds: it shows all heads, or one line again. It is walked to like a head. */
function morePart({ name, heads }, isWhole) {
  const words = isWhole ? "Show one line" : `Show all ${heads.length}`;
  const root = element("div", "more", { role: "option", tabindex: -1, "aria-selected": "false" }, words);
  root.setAttribute("aria-label", `${words}: ${name}`);
  root.dataset.group = name;
  return root;
}
