// The gallery as a whole: what is picked, what is looked at, and the parts that show it.

const galleries = new WeakMap(); // by the component's element: Streamlit calls again with each new message
const orders = new Map(); // by the gallery's key: the order that the reader chose

/** Streamlit's entry: a message is a line of JSON, then the cells of all maps, a byte each. */
export default function ({ data: message, parentElement, setStateValue }) {
  const end = message.indexOf(10);
  const data = JSON.parse(new TextDecoder().decode(message.subarray(0, end)));
  let gallery = galleries.get(parentElement);
  if (!gallery) {
    gallery = headGallery(parentElement, data.key);
    galleries.set(parentElement, gallery);
  }
  gallery.tell = setStateValue;
  const said = `${data.session} ${data.turn}`;
  if (gallery.said !== said) bring(gallery, data, message.subarray(end + 1)); // the same message says nothing new
  gallery.said = said;
  return () => {
    gallery.next = null;
    gallery.root.remove();
    galleries.delete(parentElement);
  };
}

/** Bring a gallery up to date: a new one at once, a painted one after the pictures above it, which came with the same
 *  answer and are what the reader looks at. */
function bring(gallery, data, cells) {
  const isWaiting = Boolean(gallery.next);
  gallery.next = () => gallery.update(data, cells);
  if (!gallery.root.dataset.turn) takeNext(gallery);
  else if (!isWaiting) afterPaint(() => takeNext(gallery));
}

function takeNext(gallery) {
  gallery.next?.();
  gallery.next = null;
}

function headGallery(parentElement, key) {
  const gallery = {};
  const state = { picked: 0, stop: 0, look: null, line: 0, order: orders.get(key) ?? "role" }; // stop: of the Tab key
  let data = { layers: 0, heads: 0 };
  let cells = new Uint8Array();
  let tiles = [];
  let groupOf = [];
  const whole = wholeGroups(key);

  const roleOf = (head) => (data.marked[head] ? `${groupOf[head]} · ${data.marked[head]}` : groupOf[head]);
  const wordsOf = (head) => ({ name: nameOf(data, head), group: roleOf(head), most: data.strongest[head] });
  const tell = (said) => {
    const head = state.look ?? state.picked;
    strip.show(wordsOf(head), head === state.picked, said);
  };
  const paintAll = () => {
    const size = data.rows * data.columns;
    const paint = painter(data, shades(probe));
    tiles.forEach(({ root, map }, head) => {
      if (!root.hidden) map.src = paint(cells.subarray(head * size, (head + 1) * size));
    });
  };
  const stopAt = (head) => {
    tiles[state.stop]?.root.setAttribute("tabindex", -1);
    state.stop = head;
    tiles[head].root.setAttribute("tabindex", 0);
    if (!tiles[head].root.hidden) return;
    tiles[head].root.hidden = false; // a head of a folded group that was gone to
    paintAll();
  };
  const mark = () => {
    tiles.forEach(({ root }, head) => {
      const isPicked = String(head === state.picked);
      if (root.getAttribute("aria-selected") !== isPicked) root.setAttribute("aria-selected", isPicked);
    });
    strip.leadTo(data.target && nameOf(data, state.picked));
    strip.jumpTo(Math.floor(state.picked / data.heads), state.picked % data.heads);
  };
  const pick = (head) => {
    const isNew = head !== state.picked;
    state.picked = head;
    stopAt(head);
    mark();
    tell();
    if (!isNew) return;
    afterPaint(() => (gallery.root.dataset.paintedHead = head));
    gallery.tell("pick", { head, ...notePick(data.key, head) });
  };
  const lineOf = () => perLine(list, cellWidth(data.columns) * data.columns);
  const isKept = (head) => head === state.picked || head in data.marked;
  const shownOf = ({ name, heads, folds }) =>
    folds && !whole.has(name) ? oneLine(heads, state.line, isKept) : heads;
  const arrange = () => {
    state.line = lineOf();
    const groups = (state.order === "role" ? groupsByRole : groupsByPlace)(data);
    const focused = parentElement.getRootNode().activeElement ?? gallery.root.querySelector(":focus");
    list.replaceChildren(...groups.map((group) => groupPart(group, tiles, shownOf(group))));
    list.dataset.order = state.order;
    note.hidden = state.order !== "place";
    strip.order(state.order);
    if (list.contains(focused)) focused.focus(); // moved on the page, it would lose the focus
    if (tiles[state.stop]?.root.hidden) stopAt(state.picked);
  };
  const rearrange = () => {
    arrange();
    paintAll(); // what was folded has no picture yet
  };
  /** Show all heads of a group, or one line again, and go on from there. */
  const fold = (name) => {
    const before = tiles.filter(({ root }) => root.hidden);
    if (!whole.delete(name)) whole.add(name);
    rearrange();
    const news = before.find(({ root }) => !root.hidden)?.root;
    (news ?? list.querySelector(`.more[data-group="${CSS.escape(name)}"]`)).focus({ preventScroll: Boolean(news) });
  };

  const strip = stripPart({
    order(order) {
      state.order = order;
      orders.set(key, order);
      rearrange();
    },
    jump(layer, head) {
      const isPlace = (text, count) => /^\d+$/.test(text) && Number(text) < count;
      if (!isPlace(layer, data.layers) || !isPlace(head, data.heads)) {
        tell(`There are layers 0 to ${data.layers - 1}, each with heads 0 to ${data.heads - 1}.`);
        return;
      }
      const place = Number(layer) * data.heads + Number(head);
      pick(place);
      tiles[place].root.focus();
    },
    reach: () => reach(data.target),
  });
  const list = element("div", "list", {
    role: "listbox",
    "aria-description": "Arrow keys move, Home and End go to the ends of a group, Page Up and Page Down to another "
      + "group. Enter picks.",
  });
  const note = element("p", "note", {}, "A line is a layer, with head 0 on the left.");
  const caption = element("p", "caption");
  const probe = themeProbe(paintAll);
  gallery.root = element("div", "picture head-gallery", { role: "group", "aria-label": "All heads" },
    ...strip.parts, element("div", "reading", {}, caption, legend()), note, list, probe);
  parentElement.append(gallery.root);

  const headAt = (event) => {
    const tile = event.target.closest?.(".tile");
    return tile ? Number(tile.dataset.head) : null;
  };
  const look = (head) => {
    if (head === state.look) return;
    state.look = head;
    tell();
  };
  list.addEventListener("click", (event) => {
    const more = event.target.closest(".more");
    if (more) fold(more.dataset.group);
    const head = headAt(event);
    if (head === null) return;
    pick(head);
    tiles[head].root.focus({ preventScroll: true });
  });
  list.addEventListener("pointerover", (event) => event.pointerType !== "touch" && look(headAt(event)));
  list.addEventListener("pointerleave", () => look(null));
  list.addEventListener("focusin", (event) => {
    const head = headAt(event);
    if (head !== null) stopAt(head);
    look(head);
  });
  list.addEventListener("focusout", () => look(null));
  list.addEventListener("keydown", (event) => {
    if (!event.target.closest(STOPS) || event.ctrlKey || event.altKey || event.metaKey) return;
    const isPick = event.key === "Enter" || event.key === " ";
    const next = isPick ? null : nextTile(event.key, event.target);
    if (!isPick && !next) return;
    event.preventDefault();
    if (isPick) event.target.click();
    else next.focus();
  });
  new ResizeObserver(() => list.isConnected && tiles.length && lineOf() !== state.line && rearrange()).observe(list);

  gallery.update = (next, bytes) => {
    const grown = next.layers * next.heads !== tiles.length;
    const regrouped = grown || next.heads !== data.heads || JSON.stringify(next.groups) !== JSON.stringify(data.groups);
    data = next;
    cells = bytes;
    if (grown) tiles = Array.from({ length: next.layers * next.heads }, (_, head) => tileOf(head));
    groupOf = [];
    for (const [name, , heads] of next.groups) for (const head of heads) groupOf[head] = name;
    state.picked = pickOf(next.key, next, next.picked, next.layers * next.heads);
    state.look = null;
    list.setAttribute("aria-label", `All heads: ${next.layers} layers, ${next.heads} heads each`);
    list.style.setProperty("--wide", `${cellWidth(next.columns) * next.columns}px`);
    list.style.setProperty("--high", `${cellWidth(next.columns) * next.columns}px`);
    list.style.setProperty("--heads", next.heads);
    tiles.forEach(({ root }, head) => {
      const { name, group, most } = wordsOf(head);
      root.setAttribute("aria-label", `${name}, ${group}; ${most}`);
      root.classList.toggle("marked", head in next.marked);
    });
    if (regrouped) arrange();
    setText(caption, next.caption);
    gallery.root.classList.toggle("unmasked", !next.masks);
    paintAll();
    stopAt(state.picked);
    mark();
    tell();
    afterPaint(() => Object.assign(gallery.root.dataset, { paintedHead: state.picked, turn: next.turn }));
  };
  return gallery;
}

/** Go to the part of the page with this key, and let the next key press begin there. */
function reach(key) {
  const part = document.querySelector(`.st-key-${CSS.escape(key)}`);
  if (!part) return;
  part.setAttribute("tabindex", -1);
  part.style.scrollMarginTop = "4.5rem"; // clear of Streamlit's own header
  part.focus({ preventScroll: true });
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  part.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
}

/** What the shades mean. */
function legend() {
  return element("div", "legend", { "aria-hidden": "true" },
    element("span", "", {}, "weight 0"), element("span", "scale"), element("span", "", {}, "1"),
    element("span", "hatch sample"), element("span", "", {}, "masked"));
}
