// A line of arithmetic: the number, and what it is made of; each part that can be opened is a button.

const FUNCTIONS = { root: "√", cosine: "cos", sine: "sin" };

/** The number as a line. `open` is called with the address of a part. */
function lineOf(value, line, open) {
  const root = element("div", "line", { role: "group", "aria-label": "where it comes from" });
  root.append(element("strong", hatched("total", value), {}, value));
  if (line.kind === "given") return root;
  root.append(sign(line.sign));
  if (line.kind in FUNCTIONS) root.append(sign(FUNCTIONS[line.kind]), ...inBrackets(line.terms, open));
  else if (line.kind === "power") root.append(powerOf(line.terms, open));
  else if (line.over) {
    root.append(...inBrackets(line.terms, open), sign("÷"), ...inBrackets(line.over, open));
  } else root.append(...summed(line.terms, open));
  if (line.others) root.append(...others(line.others, open));
  if (line.zeros) root.append(...folded(line, open));
  if (line.n_zeros) root.append(sign(`+ ${line.n_zeros} terms of 0`));
  return root;
}

/** e with the exponent raised: the first term less the others. */
function powerOf(terms, open) {
  const [first, ...others] = terms;
  const exponent = element("span", "exponent", {}, termOf(first, open));
  for (const one of others) exponent.append(sign("−"), termOf(one, open, { bracket: true }));
  return element("span", "power", {}, element("span", "base", {}, "e"), exponent);
}

function inBrackets(terms, open) {
  const inside = summed(terms, open);
  return terms.length > 1 ? [sign("("), ...inside, sign(")")] : inside;
}

function summed(terms, open) {
  return terms.map((one, place) => {
    const made = termOf(one, open, { bracket: place > 0 });
    if (place) made.prepend(sign(one.minus ? "−" : "+"));
    return made;
  });
}

/** A product, with its label below; or a single part with its name below. */
function termOf(term, open, { bracket = false } = {}) {
  const factors = element("span", "factors");
  term.parts.forEach((one, place) => {
    if (place) factors.append(sign("×"));
    factors.append(partOf(one, open, { named: !term.label, bracket: bracket || place > 0 }));
  });
  const label = term.label ? [element("small", "label", {}, element("bdi", "", {}, term.label))] : [];
  return element("span", "term", {}, element("span", "column", {}, factors, ...label));
}

function partOf(part, open, { named, bracket }) {
  const text = bracket ? bracketed(part.text) : part.text;
  const number = element("span", hatched("number", part.text), {}, text);
  const name = named ? [element("small", "label", {}, part.short ?? part.name)] : [];
  if (!part.open) return element("span", "part", {}, number, ...name);
  const label = `${part.text}, ${part.name}`;
  const button = element(
    "button", `part ${part.hue ?? ""}`, { type: "button", "aria-label": label, title: part.name }, number, ...name);
  button.addEventListener("click", (event) => open(part.open, event));
  return button;
}

/** The terms of 0, behind a button that shows them. */
function folded({ zeros, terms }, open) {
  const inside = element("span", "zeros", { hidden: "" }, sign("+"), ...summed(zeros, open));
  const words = zeros.length === 1 ? "1 term of 0" : `${zeros.length} terms of 0`;
  const button = element("button", "fold", { type: "button", "aria-expanded": "false" }, terms.length ? `+ ${words}` : words);
  button.addEventListener("click", () => {
    inside.hidden = !inside.hidden;
    button.setAttribute("aria-expanded", String(!inside.hidden));
  });
  return [button, inside];
}

/** What a long sum has besides its largest terms: their sum, behind a button that shows them. */
function others(rest, open) {
  const label = `${rest.n} smaller terms, added up`;
  const sum = element("span", "column", {}, element("span", "number", {}, bracketed(rest.text)), element("small", "label", {}, label));
  const button = element("button", "fold others", { type: "button", "aria-expanded": "false" }, sum);
  const inside = element("span", "zeros", { hidden: "" });
  button.addEventListener("click", () => {
    if (!inside.firstChild) inside.append(...summed(unpacked(rest), open), ...beyond(rest));
    inside.hidden = !inside.hidden;
    button.setAttribute("aria-expanded", String(!inside.hidden));
  });
  return [element("span", "term", {}, sign("+"), button), inside];
}

/** Terms that came packed: what stands before and after in the names and addresses of all stands there once. */
function unpacked({ shared, rows }) {
  return rows.map(([label, ...parts]) => ({
    label,
    parts: parts.map(([text, name, at], place) => {
      const like = shared[place];
      return { ...like, text, name: like.name.join(name), open: like.open.join(at) };
    }),
  }));
}

function beyond({ beyond: more }) {
  return more ? [sign(`+ ${bracketed(more.text)}, the sum of ${more.n} more`)] : [];
}

function bracketed(text) {
  return text.startsWith("−") ? `(${text})` : text;
}

function sign(text) {
  return element("span", "sign", {}, text);
}

function hatched(className, text) {
  return text === "−∞" ? `${className} hatch` : className;
}
