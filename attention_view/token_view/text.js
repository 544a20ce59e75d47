// Words and numbers: formatting only, nothing is computed here.

/** Show a token inside its own writing direction; the whole of it also as a title, since long ones are cut. */
function setToken(target, text) {
  setText(target, text);
  target.title = text;
}

/** Show a token in a header of a table; those who hear it hear the name that no other token has. */
function setHeader(header, text, name) {
  setToken(header.firstChild, text);
  header.setAttribute("aria-label", name);
}

/** Let a number be opened: of the pair i, j of the array that `of` names, as in "weights[0,*]". Nothing, nothing to open. */
function setOpen(target, of, i, j, { role = "button" } = {}) {
  const address = of && target.textContent ? of.replace("*", `${i},${j}`) : undefined;
  if (target.dataset.open === address) return;
  if (address === undefined) {
    for (const name of ["data-open", "tabindex", "role"]) target.removeAttribute(name);
  } else {
    target.dataset.open = address;
    if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
    if (role && !target.hasAttribute("role")) target.setAttribute("role", role);
  }
  const opened = target.getRootNode().host?.dataset.openedAddress;
  target.toggleAttribute("data-opened", address !== undefined && opened === address);
}

/** What makes a part with such numbers one stop of the Tab key. */
function regionOfNumbers(opens, label) {
  const how = "Enter goes to the numbers, the arrow keys move among them, Enter opens one.";
  const region = { role: "region", tabindex: 0, "aria-label": label, "aria-description": how, "data-numbers": "" };
  return opens?.weights ? region : {};
}

/** A number with a fixed count of decimals, a true minus sign, and no minus before zero; huge ones by a power of ten. */
function decimals(value, digits) {
  if (Number.isFinite(value) && Math.abs(value) >= 1e9) {
    const [front, power] = value.toExponential(2).replace("-", "−").split("e+");
    return `${front}·10${power.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit])}`;
  }
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** A weight to the nearest whole percent; never "0 %" or "100 %" for what is not. */
function percentage(weight) {
  const number = Math.floor(100 * weight + 0.5);
  if (number === 0 && weight > 0) return "<1 %";
  if (number === 100 && weight < 1 - 1e-9) return ">99 %";
  return `${number} %`;
}

/** A weight with three decimals; exactly 0 is "0", and what only rounds to it is said to be less. */
function weightNumber(weight) {
  if (weight === 0) return "0";
  return weight < 0.0005 ? "<0.001" : decimals(weight, 3);
}

/** What is shown of the picture: one row ({row: i}) or one column ({column: j}) as a list of its weights. */
function shownWeights(data, shown) {
  return "row" in shown ? data.weights[shown.row] : data.weights.map((row) => row[shown.column]);
}

/** A weight in two decimals without the 0 before them, where there is room for three signs: .86, 1.0. */
function shortNumber(weight) {
  return weight > 0.995 ? "1.0" : decimals(weight, 2).slice(1);
}
