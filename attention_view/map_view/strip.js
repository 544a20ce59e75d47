// The text itself: the token that asks is marked, the tokens that it looks at are shaded by their weight.

const BLANK = "␣";
const LINE_END = "↵";
const TIED = "‿"; // in a token's name: no blank stands before this word
const FAINT = 1 / 512; // a weaker shade is no other colour on any screen
const LONG_STEP = 20; // tokens, for the Page keys

/** The text as one stop of the Tab key. roles: "asks" (a token can be picked to ask), "shades", or both. */
function stripPart(map, { asks, shades }, acts) {
  const tokens = asks ? map.query_tokens : map.key_tokens;
  const gaps = new Set(map.gaps);
  const spans = tokens.map((token, n) => tokenOf(token, n, tokens, asks, gaps.has(n)));
  const label = asks ? "query (asks): pick a token of the text" : "key (is looked at)";
  const box = element("div", "strip", { role: asks ? "radiogroup" : "region", "aria-label": label, dir: "ltr" });
  if (!asks) box.tabIndex = 0; // it scrolls
  box.classList.toggle("one-of-two", !asks || !shades);
  if (!gaps.size && !tokens.some((token) => token.startsWith(BLANK))) box.classList.add("spaced");
  spans.forEach((span, n) => {
    box.append(span);
    for (let ends = tokens[n].split(LINE_END).length - 1; ends > 0; ends -= 1) box.append(element("br"));
  });
  let [asked, pointed, shaded] = [-1, -1, []];
  if (asks) strolls(box, spans, acts, () => asked);
  box.addEventListener("pointerover", (event) => {
    const n = event.target.n;
    if (shades && n !== undefined && event.pointerType !== "touch") acts.look({ j: n });
  });
  box.addEventListener("pointerleave", () => acts.look(null));
  return {
    root: box,
    show({ ask, key }) {
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
      shaded = shade(map, spans, ask, shaded);
    },
    reveal: () => asks && scrollInto(box, spans[asked]),
  };
}

function tokenOf(token, n, tokens, asks, follows) {
  const opens = token.startsWith(BLANK) && token.length > 1;
  const bare = (opens || token.startsWith(TIED)) && token.length > 1 ? token.slice(1) : token;
  const span = element("bdi", opens ? "token blank" : "token", {}, opens || follows ? ` ${bare}` : bare);
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

/** Shade what one query looks at, touching only tokens that change; gives what is shaded now. */
function shade(map, spans, i, before) {
  const now = [];
  for (let j = 0; j < map.n_keys; j += 1) {
    const weight = weightOf(map, i, j);
    const span = spans[j];
    if (span.masked !== (weight === null)) {
      span.masked = weight === null;
      span.classList.toggle("masked", span.masked);
    }
    if (weight >= FAINT && !(map.hide_first && j === 0)) now.push(j);
  }
  const kept = new Set(now);
  for (const j of before) if (!kept.has(j)) dye(spans[j], 0);
  for (const j of now) dye(spans[j], weightOf(map, i, j));
  return now;
}

function dye(span, weight) {
  span.classList.toggle("shaded", weight > 0);
  span.classList.toggle("deep-light", weight > DEEP.light);
  span.classList.toggle("deep-dark", weight > DEEP.dark);
  span.style.setProperty("--w", weight);
}

/** Scroll a token into sight, its box only: the page stays where it is. */
function scrollInto(box, token) {
  const [frame, at] = [box.getBoundingClientRect(), token.getBoundingClientRect()];
  if (at.top < frame.top + 8 || at.bottom > frame.bottom - 8) {
    box.scrollTop += at.top - frame.top - (frame.height - at.height) / 2;
  }
}
