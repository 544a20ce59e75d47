// The grid: a row for each token that asks, a column for each token that is looked at, the weight in each cell.

// Where white text becomes readable on the weight colour mixed with the page colour, and in the dark theme black.
const DEEP = { light: 0.77, dark: 0.6 };
const UPRIGHT = 3; // longer names of columns are set on end

/** Build the grid. It is one stop of the Tab key; arrow keys go over the cells. */
function gridPart(data, acts) {
  const columns = data.key_tokens.map(() => header("col"));
  const rows = data.query_tokens.map((_, i) => gridRow(data.key_tokens.length, (shown) => acts.look(shown), i));
  const corner = element("th", "corner", { scope: "col", role: "columnheader" },
    element("span", "heading query-heading", {}, "query (asks)"));
  const sumHead = element("th", "sum", { scope: "col", role: "columnheader" }, "sum");
  const table = element(
    "table", "", { role: "grid", "aria-label": "Weights: rows are queries (ask), columns are keys (are looked at)" },
    element("thead", "", { role: "rowgroup" },
      element("tr", "", { role: "row" }, corner, ...columns, sumHead)),
    element("tbody", "", { role: "rowgroup" }, ...rows.map((row) => row.row)),
  );
  walkable(rows.map((row) => row.cells.map((one) => one.cell)), (i) => acts.pick(i));
  table.style.setProperty("--n", data.key_tokens.length);
  return {
    root: element("div", "grid", {},
      element("div", "heading key-heading", { "aria-hidden": "true" }, "key (is looked at)"),
      element("div", "scroll", {}, table), legend()),
    update(next) {
      table.classList.toggle("on-end", next.key_tokens.some((token) => token.length > UPRIGHT));
      columns.forEach((column, j) => setHeader(column, next.key_tokens[j], next.key_names[j]));
      rows.forEach((row, i) => fillRow(row, next, i));
    },
    show(shown, { ask }) {
      rows.forEach(({ row }, i) => {
        row.setAttribute("aria-selected", String(i === ask));
        row.classList.toggle("shown", "row" in shown && i === shown.row);
      });
      columns.forEach((column, j) => column.classList.toggle("shown", "column" in shown && j === shown.column));
    },
  };
}

function header(scope) {
  const role = scope === "col" ? "columnheader" : "rowheader";
  return element("th", scope, { scope, role }, element("bdi"));
}

function gridRow(n, look, i) {
  const name = header("row");
  const cells = Array.from({ length: n }, () => {
    const number = element("span");
    return { number, cell: element("td", "", { role: "gridcell", tabindex: -1 }, number) };
  });
  const sum = element("td", "sum", { role: "gridcell" });
  const row = element("tr", "", { role: "row" }, name, ...cells.map((one) => one.cell), sum);
  row.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && look({ row: i }));
  row.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && look(null));
  row.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && look({ row: i }));
  row.addEventListener("focusout", () => look(null));
  return { row, name, cells, sum };
}

function fillRow({ name, cells, sum }, data, i) {
  setHeader(name, data.query_tokens[i], data.query_names[i]);
  cells.forEach(({ cell, number }, j) => fillCell(cell, number, data.weights[i][j], data.size));
  setText(sum, data.empty_rows[i] ? "none" : decimals(data.row_sums[i], 2));
  sum.classList.toggle("odd", data.odd_rows[i]);
  sum.title = data.empty_rows[i] ? "may look at nothing" : data.odd_rows[i] ? "does not sum to 1" : "";
}

/** Shade a cell by its weight, on a scale from 0 to 1 whatever the others are. Masked is hatched; exactly 0 is "0". */
function fillCell(cell, number, weight, size) {
  const masked = weight === null;
  cell.classList.toggle("hatch", masked);
  cell.classList.toggle("deep-light", weight > DEEP.light);
  cell.classList.toggle("deep-dark", weight > DEEP.dark);
  cell.style.setProperty("--w", weight ?? 0);
  setText(number, masked ? "masked" : weight === 0 ? "0" : size === "small" ? shortNumber(weight) : decimals(weight, 2));
  number.className = masked ? "hidden" : "";
}

/** Make a table of cells one stop of the Tab key: arrow keys, Home and End move in it, Enter, Space and click pick. */
function walkable(cells, pick) {
  let current = cells[0]?.[0];
  if (current) current.tabIndex = 0;
  const go = (next) => {
    current.tabIndex = -1;
    current = next;
    current.tabIndex = 0;
    current.focus();
  };
  cells.forEach((row, i) => row.forEach((cell, j) => {
    const moves = {
      ArrowDown: cells[i + 1]?.[j] ?? cell,
      ArrowUp: cells[i - 1]?.[j] ?? cell,
      ArrowRight: row[j + 1] ?? cell,
      ArrowLeft: row[j - 1] ?? cell,
      Home: row[0],
      End: row.at(-1),
    };
    cell.addEventListener("keydown", (event) => {
      const next = moves[event.key];
      if (!next && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (next) go(next);
      else pick(i);
    });
    cell.addEventListener("click", () => {
      go(cell);
      pick(i);
    });
  }));
}

/** What the shades mean. */
function legend() {
  return element("div", "legend", { "aria-hidden": "true" },
    element("span", "", {}, "weight 0"), element("span", "scale"), element("span", "", {}, "1"),
    element("span", "hatch sample"), element("span", "", {}, "masked"));
}
