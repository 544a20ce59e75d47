// The strongest keys of the query that asks, with numbers and bars, and all others together: the whole row in few lines.

/** Build the list. Its tokens are one stop of the Tab key; Enter or a click points at the token. */
function strongestPart(map, opens, acts) {
  const n = Math.max(Math.min(map.keys.length / (map.n_queries || 1), map.n_keys), 1);
  const lines = Array.from({ length: n }, () => line(element("button", "who", { type: "button", tabindex: -1 }), element("td", "number place")));
  const first = line(element("span"), element("td", "number place", {}, "1"));
  const rest = line(element("span"));
  const sum = line(element("span"));
  const subject = element("bdi", "subject");
  const verb = element("span");
  const head = element("tr", "", {},
    element("th", "key-heading", { scope: "col" }, "key (is looked at)"),
    element("th", "number place", { scope: "col" }, "token"), element("th", "number", { scope: "col" }, "weight"), element("th", "number", { scope: "col" }, "percent"),
    element("td", "bar", { "aria-hidden": "true" }));
  const table = element("table", "", {},
    element("caption", "", {}, subject, verb), element("thead", "", {}, head),
    element("tbody", "", {}, ...lines.map((one) => one.row), ...(map.hide_first ? [first.row] : []), rest.row),
    element("tfoot", "", {}, sum.row));
  rest.row.className = "rest";
  first.row.className = "rest";
  steps(lines.map((one) => one.who), acts);
  let keys = [];
  lines.forEach((one, place) => one.who.addEventListener("click", () => acts.point(keys[place])));
  return {
    root: element("div", "strongest", opens ? { "data-numbers": "", role: "region", tabindex: 0, "aria-label":
      "The strongest keys", "aria-description": "Enter goes to the numbers, the arrow keys move among them." } : {}, table),
    show({ ask, key }) {
      keys = strongestKeys(map, ask);
      setPlaced(subject, map.query_tokens[ask], ask);
      setText(verb, map.empty[ask] ? " may look at nothing" : " looks at");
      lines.forEach((one, place) => {
        const j = keys[place];
        one.row.classList.toggle("none", j === undefined);
        one.who.disabled = j === undefined;
        one.row.classList.toggle("pointed", j !== undefined && j === key);
        if (j === undefined) return;
        fill(one, map.key_tokens[j], weightOf(map, ask, j));
        setText(one.place, (j + 1).toLocaleString("en"));
        one.who.setAttribute("aria-label", placed(map.key_tokens[j], j));
        setOpen(one.weight.firstChild, opens.replace("{query}", ask).replace("{key}", j), 0, 0);
      });
      if (map.hide_first) fill(first, `${map.key_tokens[0]}, left out`, map.first[ask]);
      const others = map.others[ask];
      rest.row.classList.toggle("none", others === 0);
      fill(rest, others === 1 ? "the 1 other token" : `all other ${others.toLocaleString("en")} tokens`, map.rest[ask]);
      fill(sum, map.empty[ask] ? "no weights" : map.odd[ask] ? "sum, not 1" : "sum", map.sums[ask]);
      setText(sum.weight.firstChild, map.empty[ask] ? "" : decimals(map.sums[ask], 3));
      setText(sum.share, "");
      sum.row.classList.toggle("odd", map.odd[ask] === 1);
    },
  };
}

/** A line for one key, with its place, or for several tokens together. */
function line(who, place) {
  const made = {
    who,
    place,
    weight: element("td", "number", {}, element("span")),
    share: element("td", "number share"),
    bar: element("td", "bar", { "aria-hidden": "true" }, element("span")),
  };
  const name = element("th", "", place ? { scope: "row" } : { scope: "row", colspan: 2 }, who);
  const cells = [name, place, made.weight, made.share, made.bar].filter(Boolean);
  return { ...made, row: element("tr", "", {}, ...cells) };
}

function fill(one, name, weight) {
  setToken(one.who, name);
  setText(one.weight.firstChild, weightNumber(weight));
  setText(one.share, percentage(weight));
  one.row.style.setProperty("--w", Math.min(weight, 1));
}

/** One stop of the Tab key: arrows, Home and End go over the tokens that are there. */
function steps(buttons, acts) {
  let current = 0;
  buttons[0].tabIndex = 0;
  buttons.forEach((button, place) => {
    button.addEventListener("focus", () => {
      buttons[current].tabIndex = -1;
      current = place;
      button.tabIndex = 0;
    });
    button.addEventListener("keydown", (event) => {
      const there = buttons.filter((one) => !one.disabled);
      const at = there.indexOf(button);
      const next = { ArrowDown: there[at + 1], ArrowUp: there[at - 1], Home: there[0], End: there.at(-1) }[event.key];
      if (!next) return;
      event.preventDefault();
      next.focus();
    });
  });
}
