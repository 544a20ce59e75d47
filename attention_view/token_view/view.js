// The token view as a whole: what is picked, what is shown, and the parts that show it.

const GLIDE = 200; // milliseconds after which no line moves any more; lines.css glides for 150

const views = new WeakMap(); // by the component's element: Streamlit calls again with each new message

/** Streamlit's entry: build the picture once, then bring it up to date. */
export default function ({ data: message, parentElement, setStateValue }) {
  const text = new TextDecoder().decode(message);
  const data = JSON.parse(text);
  let view = views.get(parentElement);
  const form = JSON.stringify(
    [data.group, data.size, data.layout, data.parts, data.query_tokens.length, data.key_tokens.length, !data.scores,
      !data.column_sums, !data.opens?.weights]);
  if (view?.form !== form) {
    view?.leave();
    view = tokenView(data, parentElement);
    view.form = form;
    views.set(parentElement, view);
  }
  view.tell = setStateValue;
  if (view.text !== text) view.update(data); // the same message again says nothing new
  view.text = text;
  return () => {
    view.leave();
    views.delete(parentElement);
  };
}

/** Build the view for `first`'s parts and number of tokens; `update` fills it and every later message. */
function tokenView(first, parentElement) {
  let data = first;
  const state = { ask: 0, pin: null, look: null }; // look: what the mouse or the keyboard is on just now
  const frame = viewFrame();
  const { root, sentence, live } = frame;

  const picked = () => (state.pin === null ? { row: state.ask } : { column: state.pin });
  const draw = () => {
    const shown = state.look ?? picked();
    for (const part of Object.values(parts)) part.show(shown, state);
    setText(sentence, sentenceOf(data, shown));
  };
  const drawAtOnce = () => {
    root.classList.remove("gliding");
    draw();
  };
  const settle = ({ aloud = true } = {}) => {
    drawAtOnce();
    live.setAttribute("aria-live", aloud ? "polite" : "off");
    setText(live, spokenOf(data, picked()));
    afterPaint(() => (root.dataset.paintedAsk = state.ask));
  };
  const acts = {
    look(shown) {
      state.look = shown;
      drawAtOnce();
    },
    pick(ask, { focus = false } = {}) {
      const changed = ask !== state.ask;
      Object.assign(state, { ask, pin: null, look: null });
      settle();
      if (focus) (parts.lines ?? parts.tokens).focusQuery(ask);
      if (!changed) return;
      root.dataset.pickedAt = performance.now();
      const pick = { ask, ...notePick(data.group, ask) };
      for (const other of othersOf(data.group, view)) other.follow(ask);
      view.tell("pick", pick); // by this view alone
    },
    pin(column) {
      Object.assign(state, { pin: state.pin === column ? null : column, look: null });
      settle();
    },
  };
  const clear = (event) => {
    if (event.key !== "Escape" || (state.look === null && state.pin === null)) return;
    Object.assign(state, { pin: null, look: null });
    settle();
  };
  const isEmpty = !first.query_tokens.length || !first.key_tokens.length;
  const parts = isEmpty ? {} : partsOf(first, acts);
  placeParts(frame, parts, first.size);
  root.classList.toggle("small", first.size !== "normal");
  root.classList.toggle("half", first.size === "half");
  document.addEventListener("keydown", clear);
  parentElement.append(root);

  const view = {
    /** Take over what another view of the group was asked, without a word: that view says it aloud. */
    follow(ask) {
      if (ask >= data.query_tokens.length) return;
      Object.assign(state, { ask, pin: null });
      settle({ aloud: false });
    },
    update(next) {
      const isFirst = !root.dataset.turn;
      data = next;
      state.ask = askOf(next);
      fillFrame(frame, next);
      if (!isEmpty) {
        root.classList.toggle("gliding", !isFirst);
        for (const part of Object.values(parts)) part.update(next);
        draw();
        live.setAttribute("aria-live", "polite");
        setText(live, spokenOf(next, picked()));
      }
      afterPaint(() => {
        Object.assign(root.dataset, { paintedAsk: state.ask, turn: next.turn });
        setTimeout(() => root.classList.remove("gliding"), GLIDE);
      });
    },
    leave() {
      document.removeEventListener("keydown", clear);
      leaveGroup();
      root.remove();
    },
  };
  const leaveGroup = joinGroup(first.group, view);
  return view;
}

/** Everything around the parts. The sentence stands twice: for the eye, and where a screen reader hears it change. */
function viewFrame() {
  const made = {
    live: element("p", "hidden", { "aria-live": "polite" }),
    stage: element("div", "stage"),
    sentence: element("p", "shown"),
    room: element("p", "room"), // unseen; keeps the height of the longest sentence
    below: element("div", "below"),
    notice: element("p", "notice"),
    caption: element("p", "caption"),
  };
  const { live, stage, sentence, room, below, notice, caption } = made;
  const words = element("div", "words", { "aria-hidden": "true" }, element("div", "sentence", {}, sentence, room));
  const root = element("div", "picture token-view", { role: "group" }, live, stage, below, notice, caption);
  return { ...made, words, root };
}

function fillFrame(frame, data) {
  const longest = [...data.row_sentences, ...data.column_sentences].reduce((a, b) => (a.length < b.length ? b : a), "");
  setText(frame.room, longest);
  setText(frame.notice, data.notice);
  setText(frame.caption, data.caption);
  frame.root.setAttribute("aria-label", data.caption ? `Who looks at whom: ${data.caption}` : "Who looks at whom");
}

/** The wanted parts, by name. Rows are lower in a small view and when there are many tokens. */
function partsOf(data, acts) {
  const isLow = data.size !== "normal" || Math.max(data.query_tokens.length, data.key_tokens.length) > 16;
  const rowHeight = isLow ? 28 : 36;
  const makers = {
    tokens: () => tokensPart(data, acts),
    lines: () => linesPart(data, acts, rowHeight),
    numbers: () => numbersPart(data),
    grid: () => gridPart(data, acts),
  };
  const wanted = Object.keys(makers).filter((name) => data.parts.includes(name));
  const parts = Object.fromEntries(wanted.map((name) => [name, makers[name]()]));
  for (const part of Object.values(parts)) part.root.style.setProperty("--row", `${rowHeight}px`);
  return parts;
}

/** Tokens on top; lines, or else the grid, on the left; numbers beside them; the sentence; a grid below lines. */
function placeParts({ root, stage, below, words, caption }, { tokens, lines, numbers, grid }, size) {
  if (tokens) root.insertBefore(tokens.root, stage);
  const beside = [lines ?? grid, numbers].filter(Boolean);
  if (beside.length) {
    if (size === "half") root.insertBefore(caption, stage); // it tells the two pictures apart
    else words.prepend(caption); // spoken as the name of the whole
    stage.append(beside[0].root, words, ...beside.slice(1).map((part) => part.root));
  }
  stage.classList.toggle("both", beside.length === 2);
  if (lines && grid) below.append(grid.root);
}

function sentenceOf(data, shown) {
  return "row" in shown ? data.row_sentences[shown.row] : data.column_sentences[shown.column];
}

/** The sentence for those who hear it: of several views side by side it says whose it is. */
function spokenOf(data, shown) {
  return data.size !== "normal" ? `${data.caption}: ${sentenceOf(data, shown)}` : sentenceOf(data, shown);
}
