// The lines: tokens that ask on the left, tokens that are looked at on the right, a line as thick as the weight.

const LINE_WIDTH = 16; // pixels at weight 1: width = 16 × weight, so 0 is no line
const SVG = "http://www.w3.org/2000/svg";

/** Build the lines for `data`'s number of tokens, each `rowHeight` pixels high. `acts` are the view's answers. */
function linesPart(data, acts, rowHeight) {
  const queries = data.query_tokens.map((_, i) => queryToken(i, data.query_tokens.length, acts));
  const keys = data.key_tokens.map((_, j) => keyToken(j, data.key_tokens.length, acts));
  const height = rowHeight * Math.max(queries.length, keys.length);
  const [all, strong] = [drawing("all", height), drawing("strong", height)];
  const pairs = data.weights.map((row, i) => row.map((_, j) => path(all, i, j)));
  const shownPaths = Array.from({ length: Math.max(queries.length, keys.length) }, () => path(strong));
  pairs.forEach((row, i) => row.forEach((one, j) => one.setAttribute("d", curve(i, j, rowHeight))));

  const root = element(
    "div", "lines", {},
    element("div", "heading query-heading", {}, "query (asks)"),
    element("div", "heading key-heading", {}, "key (is looked at)"),
    element("div", "queries", { role: "radiogroup", "aria-label": "query (asks)" }, ...queries.map((q) => q.row)),
    all,
    strong,
    element("div", "keys", { role: "toolbar", "aria-orientation": "vertical", "aria-label": "key (is looked at)" },
      ...keys.map((k) => k.row)),
  );
  let current = data;
  return {
    root,
    update(next) {
      current = next;
      queries.forEach((q, i) => nameToken(q, next.query_tokens[i], next.query_names[i]));
      keys.forEach((k, j) => nameToken(k, next.key_tokens[j], next.key_names[j]));
      pairs.forEach((row, i) => row.forEach((one, j) => {
        setWidth(one, next.weights[i][j]);
        one.classList.toggle("leaks", Boolean(next.leaks?.[i][j]));
      }));
    },
    show(shown, { ask, pin }) {
      const weights = shownWeights(current, shown);
      const isRow = "row" in shown;
      const leaks = shownLeaks(current, shown);
      queries.forEach((q, i) => {
        q.button.setAttribute("aria-checked", String(i === ask));
        q.button.tabIndex = i === ask ? 0 : -1;
        markToken(q, isRow && i === shown.row, isRow ? undefined : weights[i]);
        markLeak(q, !isRow && Boolean(leaks[i]));
        setOpen(q.share, isRow ? "" : current.opens?.weights, i, shown.column, { role: "" });
      });
      keys.forEach((k, j) => {
        k.button.setAttribute("aria-pressed", String(j === pin));
        markToken(k, !isRow && j === shown.column, isRow ? weights[j] : undefined);
        markLeak(k, isRow && Boolean(leaks[j]));
        setOpen(k.share, isRow ? current.opens?.weights : "", shown.row, j, { role: "" });
      });
      shownPaths.forEach((one, place) => {
        const [i, j] = isRow ? [shown.row, place] : [place, shown.column];
        setWidth(one, weights[place]);
        one.classList.toggle("leaks", Boolean(leaks[place]));
        one.setAttribute("d", curve(i, j, rowHeight));
        one.dataset.query = i;
        one.dataset.key = j;
      });
    },
    focusQuery: (i) => queries[i].button.focus(),
  };
}

/** A token that asks: a radio button; arrow keys pick at once, as in any group of radio buttons. */
function queryToken(i, n, acts) {
  const token = tokenRow("query", i, { role: "radio" });
  const [next, last] = [(i + 1) % n, (i + n - 1) % n];
  const moves = { ArrowDown: next, ArrowRight: next, ArrowUp: last, ArrowLeft: last, Home: 0, End: n - 1 };
  onKeys(token.button, moves, (to) => acts.pick(to, { focus: true }));
  token.button.addEventListener("click", () => acts.pick(i));
  onLook(token.button, { row: i }, acts);
  return token;
}

/** A token that is looked at: a button that pins who looks at it; arrow keys go from one to the next. */
function keyToken(j, n, acts) {
  const token = tokenRow("key", j, {});
  token.button.tabIndex = j === 0 ? 0 : -1;
  const moves = { ArrowDown: Math.min(j + 1, n - 1), ArrowUp: Math.max(j - 1, 0), Home: 0, End: n - 1 };
  onKeys(token.button, moves, (to) => {
    const next = token.row.parentElement.children[to].querySelector("button");
    token.button.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  token.button.addEventListener("click", () => acts.pin(j));
  onLook(token.button, { column: j }, acts);
  return token;
}

/** One row of a column of tokens: the button, the share beside it, and the hatched end of a masked line. */
function tokenRow(kind, place, attributes) {
  const label = element("bdi", "pill");
  const button = element("button", "token", { type: "button", [`data-${kind}`]: place, ...attributes }, label);
  const share = element("span", "share");
  const end = element("span", "hatch end");
  const row = element("div", `token-row ${kind}`, { role: "presentation" }, button, share, end);
  return { row, button, label, share };
}

function nameToken(token, text, name) {
  setText(token.label, text);
  token.name = name;
  token.button.setAttribute("aria-label", name);
}

/** Show a token's part in the picture: whether it is the one shown, and its weight (null: masked, undefined: none). */
function markToken(token, isShown, weight) {
  token.row.classList.toggle("shown", isShown);
  token.row.classList.toggle("masked", weight === null);
  token.row.style.setProperty("--w", weight ?? 0);
  setText(token.share, weight === undefined ? "" : weight === null ? "masked" : percentage(weight));
  token.button.title = weight === null ? `${token.name}: masked` : token.name;
}

/** Call `act` with the target of an arrow key, Home or End. */
function onKeys(target, moves, act) {
  target.addEventListener("keydown", (event) => {
    if (!(event.key in moves) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act(moves[event.key]);
  });
}

/** Look while the mouse is over a control or the keyboard on it. A touch is no hover: it would stick. */
function onLook(target, shown, acts) {
  target.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && acts.look(shown));
  target.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && acts.look(null));
  target.addEventListener("focus", () => target.matches(":focus-visible") && acts.look(shown));
  target.addEventListener("blur", () => acts.look(null));
}

/** An empty drawing, 100 units wide whatever its width in pixels. The sentence and the numbers say the same in text. */
function drawing(className, height) {
  const svg = document.createElementNS(SVG, "svg");
  const size = { viewBox: `0 0 100 ${height}`, height, preserveAspectRatio: "none" };
  const attributes = { class: className, "aria-hidden": true, ...size };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  return svg;
}

function path(svg, i, j) {
  const made = document.createElementNS(SVG, "path");
  if (i !== undefined) {
    made.dataset.query = i;
    made.dataset.key = j;
  }
  svg.append(made);
  return made;
}

/** From the middle of row i on the left to the middle of row j on the right; x runs from 0 to 100. */
function curve(i, j, rowHeight) {
  const [from, to] = [(i + 0.5) * rowHeight, (j + 0.5) * rowHeight];
  return `M0,${from}C50,${from} 50,${to} 100,${to}`;
}

function setWidth(one, weight) {
  const width = weight ? `${LINE_WIDTH * weight}px` : "0";
  if (one.style.strokeWidth !== width) one.style.strokeWidth = width;
}
