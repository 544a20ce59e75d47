// The picture to predict on: the sentence twice, as in the token view, but without a single weight.
// The learner picks a token, or hands out shares with bars; the lines drawn are the learner's own.

const STEP = 5; // percent: bars move in steps of it
const ROW = 36; // pixels
const THICKEST = 16; // pixels, for all of the weight, as in the token view
const SVG = "http://www.w3.org/2000/svg";
const shown = new WeakMap(); // by the component's element: the message that its picture was built from

/** Streamlit's entry: build the picture for each new question; the same message again says nothing new. */
export default function ({ data, parentElement, setStateValue }) {
  const text = new TextDecoder().decode(data);
  let view = shown.get(parentElement);
  if (view?.text !== text) {
    view?.root.remove();
    const message = JSON.parse(text);
    view = { text };
    const tell = (given) => view.tell("given", { for: message.for, given });
    view.root = message.kind === "bars" ? barsPicture(message, tell) : pickPicture(message, tell);
    parentElement.append(view.root);
    shown.set(parentElement, view);
  }
  view.tell = setStateValue;
}

/** A token of the sentence that cannot be picked; `asks` marks the one that the question is about. */
function word(token, marked) {
  return element("div", marked ? "word marked" : "word", {}, element("bdi", "pill", {}, token));
}

/** Tokens as radio buttons: one stop of the Tab key, arrow keys pick. */
function radios(message, pick) {
  const buttons = message.names.map((name, place) => {
    const button = element("button", "word", { type: "button", role: "radio", "aria-label": name },
      element("bdi", "pill", {}, message.tokens[place]));
    button.addEventListener("click", () => pick(place));
    button.addEventListener("keydown", (event) => {
      const n = buttons.length;
      const moves = { ArrowDown: (place + 1) % n, ArrowUp: (place + n - 1) % n, Home: 0, End: n - 1 };
      if (!(event.key in moves)) return;
      event.preventDefault();
      buttons[moves[event.key]].focus();
      pick(moves[event.key]);
    });
    return button;
  });
  return buttons;
}

function pickPicture(message, tell) {
  const asksSide = message.side === "query";
  const lines = drawing(message.tokens.length);
  const buttons = radios(message, (place) => {
    show(place);
    tell(place);
  });
  const show = (picked) => {
    buttons.forEach((button, place) => {
      button.setAttribute("aria-checked", String(place === picked));
      button.tabIndex = place === (picked ?? 0) ? 0 : -1;
      const ends = asksSide ? [place, message.fixed] : [message.fixed, place];
      lines.set(place, ...ends, message.fixed !== null && place === picked ? 5 : 0);
    });
  };
  show(message.given);
  const answers = element("div", "column", { role: "radiogroup", "aria-label": message.label }, ...buttons);
  const others = element("div", "column quiet", {}, ...message.tokens.map((token, i) => word(token, i === message.fixed)));
  return frame(message, asksSide ? answers : others, lines.svg, asksSide ? others : answers);
}

function barsPicture(message, tell) {
  const shares = [...message.given]; // whole percents
  const lines = drawing(message.tokens.length);
  const left = element("p", "left", { "aria-live": "polite" });
  const remaining = () => 100 - shares.reduce((a, b) => a + b, 0);
  const set = (place, share) => {
    const most = shares[place] + remaining();
    shares[place] = Math.max(0, Math.min(most, STEP * Math.round(share / STEP)));
    show();
  };
  const bars = message.names.map((name, place) => bar(name, place, set, () => shares[place], () => tell([...shares])));
  const show = () => {
    bars.forEach(({ slider, number }, place) => {
      slider.setAttribute("aria-valuenow", shares[place]);
      slider.setAttribute("aria-valuetext", `${shares[place]} percent, ${remaining()} percent left`);
      slider.style.setProperty("--share", `${shares[place]}%`);
      number.textContent = `${shares[place]} %`;
      lines.set(place, message.fixed, place, (THICKEST * shares[place]) / 100);
    });
    left.textContent = remaining() ? `Left to hand out: ${remaining()} %` : "All 100 % are handed out.";
  };
  show();
  const clear = element("button", "clear", { type: "button" }, "Clear");
  clear.addEventListener("click", () => {
    shares.fill(0);
    show();
    tell([...shares]);
  });
  const others = element("div", "column quiet", {}, ...message.tokens.map((token, i) => word(token, i === message.fixed)));
  const rows = message.tokens.map((token, place) => element("div", "bar-row", {},
    element("bdi", "pill", { "aria-hidden": "true" }, token), bars[place].slider, bars[place].number));
  const root = frame(message, others, lines.svg, element("div", "column", {}, ...rows));
  root.append(element("div", "foot", {}, left, clear));
  return root;
}

/** One bar: dragged, clicked or moved with the arrow keys. Python hears of it when the hand lets go. */
function bar(name, place, set, share, done) {
  const slider = element("div", "bar", { role: "slider", tabindex: "0", "aria-label": name,
    "aria-valuemin": "0", "aria-valuemax": "100" }, element("div", "fill"));
  const at = (event) => {
    const box = slider.getBoundingClientRect();
    set(place, (100 * (event.clientX - box.left)) / box.width);
  };
  slider.addEventListener("pointerdown", (event) => {
    slider.setPointerCapture(event.pointerId);
    slider.focus();
    at(event);
  });
  slider.addEventListener("pointermove", (event) => slider.hasPointerCapture(event.pointerId) && at(event));
  slider.addEventListener("lostpointercapture", done);
  slider.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: STEP, ArrowUp: STEP, ArrowLeft: -STEP, ArrowDown: -STEP, PageUp: 20, PageDown: -20 };
    const to = { Home: 0, End: 100 }[event.key] ?? share() + moves[event.key];
    if (Number.isNaN(to)) return;
    event.preventDefault();
    set(place, to);
    done();
  });
  return { slider, number: element("span", "number", { "aria-hidden": "true" }) };
}

function frame(message, left, lines, right) {
  return element("div", `prediction ${message.kind}`, { role: "group", "aria-label": "Your prediction" },
    element("div", "heading query-heading", {}, "query (asks)"),
    element("div", "heading key-heading", {}, "key (is looked at)"), left, lines, right);
}

/** The lines between the columns, one for each answer. */
function drawing(n) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ viewBox: `0 0 100 ${ROW * n}`, height: ROW * n, preserveAspectRatio: "none",
    "aria-hidden": "true" })) svg.setAttribute(name, value);
  const paths = Array.from({ length: n }, () => document.createElementNS(SVG, "path"));
  svg.append(...paths);
  const middle = (place) => (place + 0.5) * ROW;
  return {
    svg,
    set(place, from, to, width) {
      paths[place].setAttribute("d", `M0,${middle(from)}C50,${middle(from)} 50,${middle(to)} 100,${middle(to)}`);
      paths[place].style.strokeWidth = `${width}px`;
    },
  };
}
