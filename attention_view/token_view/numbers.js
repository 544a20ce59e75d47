// The numbers of the row or column that is shown: a table whose rows stand level with the tokens of the lines.

const SAME = 1e-9; // weights closer than this are equal

/** Build the numbers. The table keeps the height of the longer list of tokens, so that nothing moves. */
function numbersPart(data) {
  const caption = { subject: element("bdi", "subject"), verb: element("span") };
  const who = element("th", "who", { scope: "col" });
  const head = element("tr", "", {}, who, ...columnHeads(data));
  const lines = Array.from({ length: Math.max(data.query_tokens.length, data.key_tokens.length) }, () => line(data));
  const sum = {
    label: element("th", "who", { scope: "row" }),
    value: element("td", "weight"),
    badge: element("td", "badge", { colspan: 2 }),
  };
  const noScore = data.scores ? [element("td", "score")] : [];
  const foot = element("tr", "sum", {}, sum.label, ...noScore, sum.value, sum.badge);
  const table = element(
    "table", "", {},
    element("caption", "", {}, caption.subject, " ", caption.verb),
    element("thead", "", {}, head),
    element("tbody", "", {}, ...lines.map((one) => one.row)),
    element("tfoot", "", {}, foot),
  );
  let current = data;
  return {
    root: element("div", "numbers", regionOfNumbers(data.opens, "Scores and weights"), table),
    update(next) {
      current = next;
    },
    show(shown) {
      const isRow = "row" in shown;
      const weights = shownWeights(current, shown);
      const tokens = isRow ? current.key_tokens : current.query_tokens;
      const names = isRow ? current.key_names : current.query_names;
      const scoreAt = (place) => isRow ? current.scores[shown.row][place] : current.scores[place]?.[shown.column];
      const leaks = shownLeaks(current, shown);
      const visible = weights.filter((weight) => weight !== null);
      const [least, most] = [Math.min(...visible), Math.max(...visible)];
      const strongest = most - least > SAME ? most : Infinity; // where all are equal, none is the strongest
      table.classList.toggle("incoming", !isRow);
      setToken(caption.subject, isRow ? current.query_tokens[shown.row] : current.key_tokens[shown.column]);
      const nothing = isRow && current.empty_rows[shown.row];
      setText(caption.verb, nothing ? "may look at nothing" : isRow ? "looks at" : "is looked at by");
      setText(who, isRow ? "key" : "query");
      lines.forEach((one, place) => {
        setHeader(one.who, tokens[place] ?? "", names[place] ?? "");
        fillLine(one, weights[place], current.scores && scoreAt(place), weights[place] > strongest - SAME);
        one.row.classList.toggle("leaks", Boolean(leaks[place]));
        if (leaks[place]) setText(one.weight.firstChild, `leaks ${weightNumber(weights[place])}`);
        openLine(one, current.opens, ...(isRow ? [shown.row, place] : [place, shown.column]));
      });
      fillSum(sum, current, shown);
    },
  };
}

function columnHeads(data) {
  const heads = [["weight", "weight"], ["share", "percent"], ["bar", ""]];
  if (data.scores) heads.unshift(["score", "score"]);
  return heads.map(([className, text]) =>
    text ? element("th", className, { scope: "col" }, text) : element("td", className, {}));
}

function line(data) {
  const cells = {
    who: element("th", "who", { scope: "row" }, element("bdi")),
    score: element("td", "score", {}, element("span")),
    weight: element("td", "weight", {}, element("span")),
    share: element("td", "share", {}, element("span")),
    bar: element("td", "bar", {}, element("span", "", { "aria-hidden": "true" })),
  };
  if (!data.scores) delete cells.score;
  return { ...cells, row: element("tr", "", {}, ...Object.values(cells)) };
}

/** Fill one line; no weight (undefined), no line. A masked weight is a word and a hatched bar, never a number. */
function fillLine(cells, weight, score, isStrongest) {
  const masked = weight === null;
  cells.row.classList.toggle("none", weight === undefined);
  cells.row.classList.toggle("masked", masked);
  cells.row.classList.toggle("strongest", isStrongest);
  cells.row.style.setProperty("--w", weight ?? 0);
  const number = weight !== undefined && !masked;
  if (cells.score) setText(cells.score.firstChild, number ? decimals(score, 2) : "");
  setText(cells.weight.firstChild, number ? weightNumber(weight) : masked ? "masked" : "");
  setText(cells.share.firstChild, number ? percentage(weight) : "");
}

function openLine(cells, opens, i, j) {
  if (cells.score) setOpen(cells.score.firstChild, opens?.scores, i, j);
  setOpen(cells.weight.firstChild, opens?.weights, i, j);
  setOpen(cells.share.firstChild, opens?.weights, i, j);
}

/** The sum of a row; a column has none. A sum that is not 1 and a row that may look at nothing say so. */
function fillSum(sum, data, shown) {
  const isRow = "row" in shown;
  const empty = isRow && data.empty_rows[shown.row];
  const odd = isRow && data.odd_rows[shown.row];
  setText(sum.label, !isRow ? "" : empty ? "no weights" : "sum");
  setText(sum.value, isRow && !empty ? decimals(data.row_sums[shown.row], odd ? 3 : 2) : "");
  setText(sum.badge, odd ? "not 1" : "");
  sum.badge.classList.toggle("odd", odd);
}
