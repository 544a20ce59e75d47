// The map view as a whole: which query asks, which key is pointed at, where the lens stands, and the parts that show it.

const DEEP = { light: 0.77, dark: 0.6 }; // where white text becomes readable on a weight's colour, in the dark theme black
const SIZES = [8, 16, 32, 64, 128]; // tokens along a side of the lens
const NARROW = 640; // pixels of the view, below which the lens begins smaller
const PATIENCE = 150; // milliseconds between two picks that Python is told of, while keys are held or the mouse drags

const views = new WeakMap(); // by the component's element: Streamlit calls again with each new message

/** Streamlit's entry: build the view for a new message; the same message again says nothing new. */
export default function ({ data: message, parentElement, setStateValue }) {
  const id = idOf(message);
  let view = views.get(parentElement);
  if (view?.id !== id) {
    const map = readMap(message);
    if (!view?.renew(map)) {
      const kept = view?.kept();
      view?.leave();
      view = mapView(map, parentElement, kept);
    }
    view.id = id;
    views.set(parentElement, view);
  }
  view.tell = setStateValue;
  return () => {
    view.leave();
    views.delete(parentElement);
  };
}

/** Build the view of a map, which another head of the same text then only fills anew. kept: how the learner had set the one before it. */
function mapView(map, parentElement, kept) {
  const frame = viewFrame(map);
  const { root, live, probe, watched } = frame;
  parentElement.append(root);
  const isEmpty = !map.n_queries || !map.n_keys;
  const by = isEmpty || map.tokens > 1 ? (kept?.by ?? "max") : "max";
  const size = kept?.size ?? SIZES[root.clientWidth < NARROW ? 1 : 2];
  const state = { ask: askOf(map), key: 0, by, faint: kept?.faint ?? false, look: null, block: null, window: { top: 0, left: 0, size } };
  state.key = kept?.ask === state.ask && kept.key < map.n_keys ? kept.key : strongestKeys(map, state.ask)[0] ?? 0;
  let shades = shadesOf(probe);
  let waiting = null;
  let told = 0;

  const tellPython = ({ later = false } = {}) => {
    clearTimeout(waiting);
    const pick = { ask: state.ask, ...notePick(map.group, state.ask) };
    for (const other of othersOf(map.group, view)) other.follow(state.ask);
    const now = () => {
      told = performance.now();
      view.tell("pick", pick);
    };
    if (later || performance.now() - told < PATIENCE) waiting = setTimeout(now, PATIENCE);
    else now();
  };
  const built = builtFor(map);
  const draw = ({ reveal = false } = {}) => {
    for (const strip of parts.strips ?? []) strip.show(state, reveal);
    parts.strongest?.show(state);
    parts.overview?.show(state, state.window);
    parts.lens?.show(state, state.window, shades, room);
    fillLines(frame, map, state);
    afterPaint(() => {
      root.dataset.paintedAsk = state.ask;
      for (const strip of parts.strips ?? []) strip.showRest(state);
    });
  };
  const settle = (options = {}) => {
    draw(options);
    setText(live, options.pair ? `${spokenPair(map, state)}` : spokenRow(map, state.ask));
  };
  const go = (i, j, { centre = false, ...options } = {}) => {
    const changed = i !== state.ask;
    if (changed) root.dataset.pickedAt = performance.now();
    Object.assign(state, { ask: i, key: j, look: null, block: null });
    moveWindow(map, state, centre);
    settle({ reveal: changed, pair: true, ...options });
    if (changed) tellPython(options);
  };
  const acts = {
    ask: (i) => go(i, strongestKeys(map, i)[0] ?? 0, { pair: false }),
    point: (j) => go(state.ask, j),
    choose: (i, j) => go(i, j),
    move: (di, dj) => go(clamp(state.ask + di, map.n_queries), clamp(state.key + dj, map.n_keys)),
    block(row, column, options) {
      const [i, j] = strongestOf(map, row, column);
      go(i, j, { centre: true, ...options });
    },
    look(pair) {
      state.look = pair && { i: state.ask, ...pair };
      fillLines(frame, map, state);
    },
    lookBlock(block) {
      state.block = block;
      fillLines(frame, map, state);
    },
    lensKey(event) {
      const page = state.window.size;
      const to = {
        Home: () => go(state.ask, 0), End: () => go(state.ask, map.n_keys - 1),
        PageUp: () => acts.move(-page, 0), PageDown: () => acts.move(page, 0),
      }[event.key];
      to?.();
      return Boolean(to);
    },
    zoomKey(event) {
      const step = { "+": -1, "=": -1, "-": 1, "−": 1 }[event.key];
      if (step === undefined || event.ctrlKey || event.metaKey) return false;
      acts.zoom(step);
      return true;
    },
    zoom(step) {
      state.window.size = SIZES[clamp(SIZES.indexOf(state.window.size) + step, SIZES.length)];
      moveWindow(map, state, true);
      draw();
      setText(live, zoomWords(map, state.window.size));
    },
    by(name) {
      state.by = name;
      repaint();
    },
    faint(on) {
      state.faint = on;
      repaint();
    },
  };
  const parts = isEmpty ? {} : partsOf(map, acts, probe);
  placeParts(frame, map, parts, acts, state);
  const repaint = () => {
    shades = shadesOf(probe);
    parts.overview?.paint(state, shades);
    draw();
  };
  let room = frame.lensBox.clientWidth; // pixels across
  const watcher = new ResizeObserver(() => {
    if (frame.lensBox.clientWidth === room) return;
    room = frame.lensBox.clientWidth;
    draw();
  });
  const view = {
    /** Show another map of the same text, by all that stands here; false if it is of another text or kind. */
    renew(other) {
      if (builtFor(other) !== built) return false;
      Object.assign(map, other, { key_tokens: map.key_tokens, query_tokens: map.query_tokens });
      fillAround(frame, map);
      const ask = askOf(map);
      if (ask !== state.ask) Object.assign(state, { ask, key: strongestKeys(map, ask)[0] ?? 0 });
      Object.assign(state, { look: null, block: null });
      begin();
      return true;
    },
    kept: () => ({ ask: state.ask, key: state.key, by: state.by, faint: state.faint, size: state.window.size }),
    /** Take over what another map of the group was asked, without a word. */
    follow(ask) {
      if (ask >= map.n_queries) return;
      Object.assign(state, { ask, key: strongestKeys(map, ask)[0] ?? 0 });
      moveWindow(map, state, false);
      draw({ reveal: true });
    },
    leave() {
      watcher.disconnect();
      leaveGroup();
      root.remove();
    },
  };
  const leaveGroup = joinGroup(map.group, view);
  const begin = () => {
    if (!isEmpty) {
      moveWindow(map, state, true);
      parts.overview?.paint(state, shades);
      draw({ reveal: true });
    }
    afterPaint(() => (root.dataset.turn = map.turn));
  };
  begin();
  if (!isEmpty) {
    watcher.observe(frame.lensBox);
    onTheme(watched, repaint);
  }
  return view;
}

/** Let the lens hold the chosen cell: centred on it, or moved as little as need be. */
function moveWindow(map, { ask, key, window }, centre) {
  const { size } = window;
  const start = (from, place, n) => {
    const last = Math.max(n - size, 0);
    const to = centre ? place - Math.floor(size / 2) : Math.min(Math.max(from, place - size + 1), place);
    return Math.min(Math.max(to, 0), last);
  };
  window.top = start(window.top, ask, map.n_queries);
  window.left = start(window.left, key, map.n_keys);
}

/** The cell of a block with its largest weight; of a masked block the first cell. */
function strongestOf(map, row, column) {
  const [[top, bottom], [left, right]] = [edgesOf(map, row, map.n_queries), edgesOf(map, column, map.n_keys)];
  let best = [top, left, -1];
  for (let i = top; i < bottom; i += 1) {
    for (let j = left; j < right; j += 1) {
      const weight = map.hide_first && j === 0 ? null : weightOf(map, i, j);
      if (weight !== null && weight > best[2]) best = [i, j, weight];
    }
  }
  return best;
}
