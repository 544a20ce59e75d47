// The text itself: the token that asks is marked, the tokens that it looks at are shaded by their weight.

const BLANK = "␣";
const LINE_END = "↵";
const TIED = "‿"; // in a token's name: no blank stands before this word
const SHADES = 128; // steps of shade: finer ones are no other colour on any screen
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const LETTER = /\p{L}/u;
const LONG_STEP = 20; // tokens, for the Page keys

/** The text as one stop of the Tab key. roles: "asks" (a token can be picked to ask), "shades", or both. */
function stripPart(map, { asks, shades }, acts) {
  const tokens = asks ? map.query_tokens : map.key_tokens;
  const gaps = new Set(map.gaps);
  const spans = tokens.map((token, n) => tokenOf(token, n, asks, gaps.has(n)));
  const label = asks ? "query (asks): pick a token of the text" : "key (is looked at)";
  const box = element("div", "strip", { role: asks ? "radiogroup" : "region", "aria-label": label, dir: "ltr" });
  if (!asks) box.tabIndex = 0; // it scrolls
  box.classList.toggle("one-of-two", !asks || !shades);
  if (!gaps.size && !tokens.some((token) => token.startsWith(BLANK))) box.classList.add("spaced");
  for (let n = 0, end; n < spans.length; n = end) {
    const to = endOfRun(tokens, n);
    end = Math.max(to, n + 1);
    box.append(to > n ? element("bdi", "run", { dir: "rtl" }, ...spans.slice(n, to)) : spans[n]);
    for (let ends = tokens[end - 1].split(LINE_END).length - 1; ends > 0; ends -= 1) box.append(element("br"));
  }
  let [asked, pointed] = [-1, -1];
  if (asks) strolls(box, spans, acts, () => asked);
  box.addEventListener("pointerover", (event) => {
    const n = event.target.n;
    if (shades && n !== undefined && event.pointerType !== "touch") acts.look({ j: n });
  });
  box.addEventListener("pointerleave", () => acts.look(null));
  return {
    root: box,
    /** Show what is asked, as far as it stands in sight: the rest can wait until that is painted. */
    show({ ask, key }, reveal) {
      if (asks && reveal) scrollInto(box, spans[ask]); // first, as it needs the layout
      const sight = shades ? inSight(box, spans) : [];
      if (asks && ask !== asked) {
        mark(spans[asked], spans[ask], "asks");
        spans[asked]?.setAttribute("aria-checked", "false");
        if (spans[asked]) spans[asked].tabIndex = -1;
        spans[ask].setAttribute("aria-checked", "true");
        spans[ask].tabIndex = 0;
        asked = ask;
      }
      if (!shades) return;
      mark(spans[pointed], spans[key], "pointed");
      pointed = key;
      shade(map, spans, ask, ...sight);
    },
    showRest({ ask }) {
      if (shades) shade(map, spans, ask, 0, spans.length);
    },
  };
}

/** Where a run of neighbouring tokens ends that are read from the right, with the digits and signs between them. */
function endOfRun(tokens, from) {
  if (!RIGHT_TO_LEFT.test(tokens[from])) return from;
  let to = from;
  for (let n = from; n < tokens.length; n += 1) {
    if (RIGHT_TO_LEFT.test(tokens[n])) to = n + 1;
    else if (LETTER.test(tokens[n])) break;
    if (tokens[n].includes(LINE_END)) break;
  }
  return to;
}

function tokenOf(token, n, asks, follows) {
  const opens = token.startsWith(BLANK) && token.length > 1;
  const bare = (opens || token.startsWith(TIED)) && token.length > 1 ? token.slice(1) : token;
  const span = element("span", opens ? "token blank" : "token", {}, opens || follows ? ` ${bare}` : bare);
  span.n = n;
  if (!asks) return span;
  span.setAttribute("role", "radio");
  span.setAttribute("aria-checked", "false");
  span.setAttribute("aria-label", placed(token, n));
  span.tabIndex = -1;
  return span;
}

/** Click, arrow keys, Page keys, Home and End pick a token to ask. */
function strolls(box, spans, acts, asked) {
  box.addEventListener("click", (event) => event.target.n !== undefined && acts.ask(event.target.n));
  box.addEventListener("keydown", (event) => {
    const now = asked();
    const next = {
      ArrowRight: now + 1, ArrowDown: now + 1, ArrowLeft: now - 1, ArrowUp: now - 1,
      PageDown: now + LONG_STEP, PageUp: now - LONG_STEP, Home: 0, End: spans.length - 1,
    }[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const place = Math.min(Math.max(next, 0), spans.length - 1);
    acts.ask(place);
    spans[place].focus();
  });
}

function mark(before, now, name) {
  if (before === now) return;
  before?.classList.remove(name);
  now?.classList.add(name);
}

/** Shade what one query looks at, as a share of its strongest weight shown, touching only tokens that change. */
function shade(map, spans, i, from, to) {
  const most = strongestShown(map, i);
  for (let j = from; j < to; j += 1) {
    const span = spans[j];
    const weight = weightOf(map, i, j);
    if (span.masked !== (weight === null)) {
      span.masked = weight === null;
      span.classList.toggle("masked", span.masked);
    }
    const isLeftOut = weight === null || !most || (map.hide_first && j === 0);
    dye(span, isLeftOut ? 0 : Math.round((SHADES * weight) / most));
  }
}

function dye(span, step) {
  if (step === (span.step ?? 0)) return;
  span.step = step;
  span.classList.toggle("shaded", step > 0);
  span.classList.toggle("deep-light", step / SHADES > DEEP.light);
  span.classList.toggle("deep-dark", step / SHADES > DEEP.dark);
  span.style.setProperty("--w", step / SHADES);
}

/** Where the tokens in sight begin and end, with a line more above and below. */
function inSight(box, spans) {
  const [{ top, bottom }, line] = [box.getBoundingClientRect(), spans[0].getBoundingClientRect().height];
  const from = firstWhere(spans, (span) => span.getBoundingClientRect().bottom > top - line);
  return [from, firstWhere(spans, (span) => span.getBoundingClientRect().top > bottom + line)];
}

/** The first place for which a condition holds that holds from there on; the number of places if it never does. */
function firstWhere(list, holds) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Scroll a token into sight, its box only: the page stays where it is. */
function scrollInto(box, token) {
  const [frame, at] = [box.getBoundingClientRect(), token.getBoundingClientRect()];
  if (at.top < frame.top + 8 || at.bottom > frame.bottom - 8) {
    box.scrollTop += at.top - frame.top - (frame.height - at.height) / 2;
  }
}
