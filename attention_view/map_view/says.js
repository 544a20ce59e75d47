// The map in words: formatting only, nothing is computed here.

/** A token with its place in the text, since a long text has many equal ones. */
function placed(token, place) {
  return `${token}, token ${(place + 1).toLocaleString("en")}`;
}

/** Show a token with its place, the token in a box of its own, so that a comma is not read as one of the sentence's. */
function setPlaced(target, token, place) {
  if (!target.firstChild) target.append(element("bdi", "chip"), element("span"));
  setToken(target.firstChild, token);
  setText(target.lastChild, placed("", place));
}

/** What the strongest shade of the text stands for: that of the query's largest weight shown. */
function strongestShadeWords(map, i) {
  const most = strongestShown(map, i);
  return most ? `${weightNumber(most)}, the largest weight shown` : "nothing to shade";
}

/** A weight with every digit that single precision holds. */
function exact(weight) {
  if (weight === 0) return "0";
  let text = "";
  for (let digits = 1; digits <= 9; digits += 1) {
    text = weight.toPrecision(digits);
    if (Math.fround(Number(text)) === weight) break;
  }
  const [front, power] = text.split("e-");
  return power === undefined ? text : `${front}·10⁻${power.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit])}`;
}

/** What the fixed line says of one pair. */
function pairWords(map, i, j) {
  const weight = weightOf(map, i, j);
  if (weight === null) return "masked: it may not look there";
  const left = map.hide_first && j === 0 ? ", left out of the picture" : "";
  return `${exact(weight)} (${percentage(weight)})${left}`;
}

/** What the fixed line says of one block. */
function blockWords(map, by, row, column) {
  const [q, k] = [edgesOf(map, row, map.n_queries), edgesOf(map, column, map.n_keys)];
  const value = blockValue(map, by, row, column);
  const where = `${span("query", "queries", q)}, ${span("key", "keys", k)}`;
  if (value === null) return `${where}: ${map.hide_first && k[1] === 1 ? "left out" : "masked"}`;
  const number = weightNumber(value);
  return by === "max" ? `${where}: largest weight ${number}` : `${where}: sum ${number}, at most ${q[1] - q[0]}`;
}

function span(one, many, [from, to]) {
  return to - from === 1 ? `${one} ${to.toLocaleString("en")}` : `${many} ${(from + 1).toLocaleString("en")} – ${to.toLocaleString("en")}`;
}

/** What a dot of the overview is. */
function dotWords(map, by) {
  const n = map.tokens;
  if (n === 1) return "Each dot is one weight.";
  const block = `Each dot is a block of ${n} × ${n} tokens`;
  return by === "max"
    ? `${block} and shows the largest of its ${n * n} weights. Nothing is averaged.`
    : `${block} and shows the sum of its ${n * n} weights: from 0 to ${n}, as it has ${n} queries. Nothing is averaged.`;
}

/** What is said aloud of the query that asks. */
function spokenRow(map, i) {
  const name = placed(map.query_tokens[i], i);
  const [first] = strongestKeys(map, i);
  if (map.empty[i]) return `${name} may look at nothing: every token is masked.`;
  if (first === undefined) return `${name} may look at the first token only, which is left out.`;
  return `${name} looks most at ${placed(map.key_tokens[first], first)}, ${percentage(weightOf(map, i, first))}.`;
}
