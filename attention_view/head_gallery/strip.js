// What stands above the maps, at a place that does not move: the head in words, the order, and a way to go to a head.

const ORDERS = { role: "by what they look at", place: "by place" };

function stripPart(acts) {
  const name = element("strong", "name");
  const group = element("bdi", "role");
  const most = element("bdi", "most");
  const which = element("span", "which");
  const goal = element("button", "goal", { type: "button", hidden: "" }, "to the picked head");
  goal.addEventListener("click", () => acts.reach());
  const head = element("span", "head", { "aria-hidden": "true" }, which, name);
  const words = element("div", "words", { "aria-hidden": "true" }, group, most);
  const line = element("div", "line", {}, head, goal, words);
  const live = element("div", "hidden", { role: "status" });
  const orders = Object.entries(ORDERS).map(([order, words]) => {
    const button = element("button", "", { type: "button", "aria-pressed": "false" }, words);
    button.addEventListener("click", () => acts.order(order));
    return [order, button];
  });
  const jump = jumpPart((layer, head) => acts.jump(layer, head));
  const controls = element("div", "controls", {},
    element("div", "orders", { role: "group", "aria-label": "Order of the heads" }, ...orders.map(([, one]) => one)),
    jump.root);
  return {
    parts: [controls, line, live],
    /** Tell of a head; `said` is what a wrong jump is answered with. */
    show(words, isPicked, said = "") {
      line.classList.toggle("wrong", said !== "");
      setText(which, said ? "" : isPicked ? "picked: " : "");
      setText(name, said ? "" : words.name);
      setText(group, said || words.group);
      setText(most, said ? "" : words.most);
      setText(live, said);
    },
    jumpTo: jump.fill,
    /** Offer a way to the picked head, named; to nowhere without a name. */
    leadTo(named) {
      goal.hidden = !named;
      goal.setAttribute("aria-label", `to the picked head: ${named}`);
    },
    order(now) {
      for (const [order, button] of orders) button.setAttribute("aria-pressed", String(order === now));
    },
  };
}

/** Two fields and a button that go to a head. */
function jumpPart(go) {
  const fields = ["layer", "head"].map((name) => {
    const field = element("input", "", { type: "text", inputmode: "numeric", size: 3, maxlength: 4, autocomplete: "off" });
    return { field, label: element("label", "", {}, `${name} `, field) };
  });
  const button = element("button", "", { type: "submit" }, "Go");
  const root = element("form", "jump", { "aria-label": "Go to a head" }, ...fields.map(({ label }) => label), button);
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    go(...fields.map(({ field }) => field.value.trim()));
  });
  return {
    root,
    fill(...places) {
      fields.forEach(({ field }, n) => {
        if (field.getRootNode().activeElement !== field) field.value = places[n];
      });
    },
  };
}
