// The opener as a whole: what is open, what Python is told, where the focus goes.

const views = new WeakMap(); // by the component's element: Streamlit calls again with each new message
const SOON = 40; // milliseconds for which the page must stand still before an open number is read again
const LOOK = 15; // milliseconds between two looks whether the script still runs
const LONGEST_PICK = 800; // milliseconds until a pick must have set the script going
const NO_ANSWER = 600; // milliseconds
const PATIENCE = 5; // times

/** Streamlit's entry: build once, then bring up to date. */
export default function ({ data, parentElement, setStateValue }) {
  const text = new TextDecoder().decode(data);
  let view = views.get(parentElement);
  if (!view) views.set(parentElement, (view = opener(parentElement)));
  view.tell = setStateValue;
  if (view.text !== text) view.update(JSON.parse(text));
  view.text = text;
  return () => {
    view.leave();
    views.delete(parentElement);
  };
}

function opener(parentElement) {
  const view = {};
  const state = { way: [], seen: 0, serial: 0, again: 0, origin: null, toSheet: false };
  const acts = {
    open: (address, event) => ask([...state.way, address], isByKey(event)),
    go: (n, event) => ask(state.way.slice(0, n), isByKey(event)),
    close() {
      ask([]);
      show(null);
      focusOrigin();
    },
  };
  const sheet = sheetOf(acts);
  const hint = element("p", "hint", { hidden: "" }, "Click a number to open it.");
  parentElement.append(hint, sheet.live, sheet.panel);

  /** Open a number of the page. */
  const openNumber = (address, origin, byKey) => {
    if (!address) return;
    mark(null);
    state.origin = { element: origin, root: origin.getRootNode(), address };
    mark(origin);
    const picked = Number(origin.closest?.(".picture")?.dataset.pickedAt ?? -Infinity);
    ask([address], byKey, performance.now() - picked < LOOK ? LONGEST_PICK : 0);
  };
  const ask = (way, byKey = false, wait = 0) => {
    Object.assign(state, { way, serial: Math.max(state.serial, state.seen) + 1, toSheet: byKey });
    tellWhenIdle(wait);
  };
  /** Tell Python where the way leads. Of two messages that wait for a running script Streamlit may answer one alone: so
   *  this one comes when the script stands still, after a pick when it has run, and again if there is no answer. */
  let unanswered = 0;
  const tellWhenIdle = (wait) => {
    const start = performance.now();
    let hasRun = false;
    const look = () => {
      const running = document.querySelector(".stApp")?.dataset.testScriptState !== "notRunning";
      hasRun ||= running;
      const late = performance.now() - start > LONGEST_PICK;
      if (!late && (running || (wait && !hasRun))) unanswered = setTimeout(look, LOOK);
      else tell();
    };
    clearTimeout(unanswered);
    unanswered = setTimeout(look, wait ? LOOK : 0);
  };
  const send = () => view.tell("asked", { way: state.way, serial: state.serial, again: ++state.again });
  const tell = (times = 0) => {
    send();
    unanswered = setTimeout(() => times < PATIENCE && state.seen < state.serial && tell(times + 1), NO_ANSWER);
  };
  const mark = (origin) => {
    const { root, address } = state.origin ?? {};
    for (const one of root?.querySelectorAll("[data-opened]") ?? []) delete one.dataset.opened;
    if (root?.host) root.host.dataset.openedAddress = origin ? address : ""; // so that a picture can mark it itself
    if (origin?.dataset.open !== undefined) origin.dataset.opened = "";
  };
  /** The number on the page from which the way begins; the page may have been drawn anew meanwhile. */
  const originNow = () => {
    const { element: last, root, address } = state.origin ?? {};
    if (!last) return null;
    if (last.isConnected && (last.dataset.open === undefined || addressOf(last) === address)) return last;
    return numbersIn(root).find((one) => one.isConnected && addressOf(one) === address) ?? null;
  };
  const focusOrigin = () => {
    originNow()?.focus({ preventScroll: true });
    mark(null);
  };
  const show = (message) => {
    const wasOpen = !sheet.panel.hidden;
    const hadFocus = sheet.panel.contains(sheet.panel.getRootNode().activeElement);
    sheet.panel.hidden = !message;
    if (message) sheet.fill(message);
    place();
    if (!message) return setText(sheet.live, "");
    mark(originNow());
    if (!wasOpen) originNow()?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (state.toSheet || hadFocus) sheet.title.focus({ preventScroll: true });
    state.toSheet = false;
  };
  /** The sheet lies over the foot of the main area, never over the sidebar; the page gets as much room below its end. */
  const main = document.querySelector('[data-testid="stMain"]') ?? document.body;
  const place = () => {
    const box = main.getBoundingClientRect();
    Object.assign(sheet.panel.style, { left: `${box.left}px`, width: `${main.clientWidth}px` });
    document.documentElement.style.setProperty("--av-sheet", `${sheet.panel.offsetHeight}px`);
  };
  const resized = new ResizeObserver(place);
  resized.observe(main);

  const onClick = (event) => {
    const number = numberOf(event);
    if (number && !String(getSelection())) openNumber(addressOf(number), number, isByKey(event));
  };
  const onKey = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const at = event.composedPath()[0];
    const isOpen = !sheet.panel.hidden;
    if (event.key === "Escape" && isOpen && !at.matches?.("input, textarea, select")) acts.close();
    else if (at.dataset?.open !== undefined && (event.key === "Enter" || event.key === " ")) {
      openNumber(addressOf(at), at, true);
    } else if (event.defaultPrevented || !moveByKey(event)) return;
    event.preventDefault();
  };
  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onKey);

  /** A page that was drawn anew may hold new numbers, and an open one may have changed. */
  let later = 0;
  let wasLost = false; // the number from which the way begins
  const renewed = () => {
    markFigures((address, figure) => openNumber(address, figure, false));
    const isNew = markNumbers();
    if (sheet.panel.hidden) return;
    const isLost = !originNow();
    const mayDiffer = isNew || (isLost && !wasLost); // only once: the answer may change the page too
    wasLost = isLost;
    if (!mayDiffer) return;
    clearTimeout(later);
    later = setTimeout(() => {
      mark(originNow());
      if (state.way.length && state.seen >= state.serial) send();
    }, SOON);
  };
  const watch = new MutationObserver(renewed);
  watch.observe(document.body, { childList: true, subtree: true });
  renewed();

  view.update = (message) => {
    state.seen = message.seen;
    hint.hidden = !message.any;
    if (message.seen < state.serial) return; // an answer to an earlier question
    state.way = message.way.map(([address]) => address);
    show(message.way.length ? message : null);
  };
  view.leave = () => {
    document.removeEventListener("click", onClick);
    document.removeEventListener("keydown", onKey);
    watch.disconnect();
    resized.disconnect();
    clearTimeout(later);
    clearTimeout(unanswered);
    mark(null);
    document.documentElement.style.removeProperty("--av-sheet");
    for (const one of [hint, sheet.live, sheet.panel]) one.remove();
  };
  return view;
}

/** Whether a click came from the keyboard: the browser then counts no clicks. */
function isByKey(event) {
  return event?.detail === 0;
}
