// The sheet at the foot of the page: the way back, the number, its line, and what else must be said.

/** Build the sheet, closed. `acts`: go (to the first n steps of the way), open (one step further), close. */
function sheetOf(acts) {
  const crumbs = element("ol");
  const close = element("button", "close", { type: "button", "aria-label": "Close", title: "Close (Esc)" }, "✕");
  const title = element("h2", "", { tabindex: "-1" });
  const body = element("div", "body");
  const live = element("p", "hidden", { "aria-live": "polite" });
  const panel = element(
    "section", "sheet", { "aria-label": "Where a number comes from", hidden: "" },
    element("div", "bar", {}, element("nav", "", { "aria-label": "The way here" }, crumbs), close),
    element("div", "scroll", {}, title, body),
  );
  close.addEventListener("click", () => acts.close());
  return {
    panel,
    live,
    title,
    fill(message) {
      crumbs.replaceChildren(...message.way.map(([address, name], place) => crumb(message.way, place, name, address)));
      setText(title, message.title);
      body.replaceChildren(...parts(message, acts));
      panel.querySelector(".scroll").scrollTop = 0;
      setText(live, `${message.title}: ${message.value}`);
    },
  };

  function crumb(way, place, name, address) {
    if (place === way.length - 1) return element("li", "", {}, element("span", "", { "aria-current": "step" }, name));
    const button = element("button", "", { type: "button", title: address }, name);
    button.addEventListener("click", (event) => acts.go(place + 1, event));
    return element("li", "", {}, button);
  }
}

function parts(message, acts) {
  const made = [];
  if (message.line.what) made.push(element("p", "what", {}, message.line.what));
  made.push(lineOf(message.value, message.line, acts.open));
  if (message.why) made.push(element("p", message.given === "set by you" ? "why changed" : "why", {}, message.why));
  if (message.decided_by) made.push(decided(message.decided_by, acts));
  if (message.otherwise) {
    made.push(element("p", "what", {}, "Otherwise it would be"),
      lineOf(message.otherwise.value, message.otherwise.line, acts.open));
  }
  const small = [message.full && `In full: ${message.full}`, message.note].filter(Boolean);
  if (small.length) made.push(element("p", "small", {}, ...small.map((text) => element("span", "", {}, text))));
  return made;
}

/** Numbers without a place in the line that decide what it is. */
function decided(numbers, acts) {
  return element("p", "decided", {}, ...numbers.map((one) => partOf(one, acts.open, { named: true, bracket: false })));
}
