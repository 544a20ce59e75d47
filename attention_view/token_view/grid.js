// The grid: a row for each token that asks, a column for each token that is looked at, the weight in each cell; or
// turned, with the tokens that ask in columns.

// Where white text becomes readable on the weight colour mixed with the page colour, and in the dark theme black.
const DEEP = { light: 0.77, dark: 0.6 };
const UPRIGHT = 3; // longer names of columns are set on end

/** Build the grid. It is one stop of the Tab key; arrow keys go over the cells. */
function gridPart(data, acts) {
  const turned = data.layout === "columns";
  const [asks, isLookedAt] = turned ? ["col", "row"] : ["row", "col"];
  const keys = data.key_tokens.map(() => header(isLookedAt));
  const queries = data.query_tokens.map(() => queryLine(data.key_tokens.length, asks));
  const keySums = data.column_sums ? keys.map(() => element("td", "sum", { role: "gridcell" })) : null;
  const { table, cells } = (turned ? inColumns : inRows)(queries, keys, keySums);
  const line = turned ? "column" : "row";
  const does = data.opens?.weights ? `Enter picks the ${line} and opens the number.` : `Enter picks the ${line}.`;
  table.setAttribute("aria-description", does);
  queries.forEach((query, i) => query.marked.forEach((part) => onLine(part, { row: i }, acts)));
  let revealed = -1; // the query that was last scrolled to
  walkable(cells, (i, j) => acts.pick(turned ? j : i));
  const root = element("div", "grid", {}, heading(turned ? "query" : "key", { "aria-hidden": "true" }),
    element("div", "scroll", {}, table), legend());
  return {
    root,
    update(next) {
      root.classList.toggle("leaking", Boolean(next.leaks));
      const onTop = turned ? next.query_tokens : next.key_tokens;
      table.classList.toggle("on-end", onTop.some((token) => token.length > UPRIGHT));
      keys.forEach((key, j) => setHeader(key, next.key_tokens[j], next.key_names[j]));
      queries.forEach((query, i) => fillQuery(query, next, i));
      keySums?.forEach((cell, j) => setText(cell, decimals(next.column_sums[j], 2)));
    },
    show(shown, { ask }) {
      if (turned && ask !== revealed) reveal(queries[ask].name);
      revealed = ask;
      queries.forEach(({ marked }, i) => marked.forEach((part) => {
        part.setAttribute("aria-selected", String(i === ask));
        part.classList.toggle("shown", "row" in shown && i === shown.row);
      }));
      keys.forEach((key, j) => key.classList.toggle("shown", "column" in shown && j === shown.column));
    },
  };
}

/** Queries in rows: what is marked of one is its row. */
function inRows(queries, keys, keySums) {
  const rows = queries.map((query) => {
    const row = element("tr", "", { role: "row" }, query.name, ...query.cells.map((one) => one.cell), query.sum);
    query.marked = [row];
    return row;
  });
  const sumHead = element("th", "sum", { scope: "col", role: "columnheader" }, "sum");
  const sums = keySums ? [sumsRow([...keySums, element("td", "sum", { role: "gridcell" })], "sums")] : [];
  const label = "Weights: rows are queries (ask), columns are keys (are looked at)";
  return {
    table: gridTable("", label, keys.length, [corner("query"), ...keys, sumHead], rows, sums),
    cells: queries.map((query) => query.cells.map((one) => one.cell)),
  };
}

/** Queries in columns: what is marked of one are its name, its cells and its sum below them. */
function inColumns(queries, keys, keySums) {
  for (const query of queries) {
    query.marked = [query.name, ...query.cells.map((one) => one.cell), query.sum];
    for (const part of query.marked) part.classList.add("line");
  }
  const cells = keys.map((_, j) => queries.map((query) => query.cells[j].cell));
  const rows = keys.map((key, j) => element("tr", "", { role: "row" }, key, ...cells[j]));
  keySums?.forEach((sum, j) => rows[j].append(sum));
  const heads = [corner("key"), ...queries.map((query) => query.name)];
  if (keySums) heads.push(element("th", "sum", { scope: "col", role: "columnheader" }, "sum"));
  const own = queries.map((query) => query.sum);
  const sums = sumsRow(keySums ? [...own, element("td", "sum", { role: "gridcell" })] : own);
  const label = "Weights: columns are queries (ask), rows are keys (are looked at)";
  return {
    table: gridTable("turned", label, queries.length, heads, rows, [sums]),
    cells,
  };
}

/** Scroll a column into sight where the grid has less room than columns; the names of the rows stand on the left. */
function reveal(name) {
  const box = name.closest(".scroll");
  const [left, right] = [name.offsetLeft, name.offsetLeft + name.offsetWidth];
  const names = name.parentElement.firstChild.offsetWidth;
  if (right > box.scrollLeft + box.clientWidth) box.scrollLeft = right + 4 - box.clientWidth;
  else if (left < box.scrollLeft + names) box.scrollLeft = left - names - 4;
}

function gridTable(className, label, n, heads, rows, footRows = []) {
  const table = element("table", className, { role: "grid", "aria-label": label },
    element("thead", "", { role: "rowgroup" }, element("tr", "", { role: "row" }, ...heads)),
    element("tbody", "", { role: "rowgroup" }, ...rows));
  if (footRows.length) table.append(element("tfoot", "", { role: "rowgroup" }, ...footRows));
  table.style.setProperty("--n", n);
  return table;
}

function heading(kind, attributes = {}) {
  const words = { query: "query (asks)", key: "key (is looked at)" };
  return element("div", `heading ${kind}-heading`, attributes, words[kind]);
}

function corner(kind) {
  return element("th", "corner", { scope: "col", role: "columnheader" }, heading(kind));
}

/** The last row: the sum of each column. */
function sumsRow(cells, className = "") {
  const name = element("th", "row sum", { scope: "row", role: "rowheader" }, "sum");
  return element("tr", className, { role: "row" }, name, ...cells);
}

function header(scope) {
  const role = scope === "col" ? "columnheader" : "rowheader";
  return element("th", scope, { scope, role }, element("bdi"));
}

/** What belongs to one query: its name, a cell for each key, and their sum. */
function queryLine(n, scope) {
  const cells = Array.from({ length: n }, () => {
    const number = element("span");
    return { number, cell: element("td", "", { role: "gridcell", tabindex: -1 }, number) };
  });
  return { name: header(scope), cells, sum: element("td", "sum", { role: "gridcell" }) };
}

/** Look at a query while the mouse is over a part of its line or the keyboard in it. */
function onLine(part, shown, acts) {
  part.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && acts.look(shown));
  part.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && acts.look(null));
  part.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && acts.look(shown));
  part.addEventListener("focusout", () => acts.look(null));
}

function fillQuery({ name, cells, sum }, data, i) {
  setHeader(name, data.query_tokens[i], data.query_names[i]);
  cells.forEach(({ cell, number }, j) => {
    fillCell(cell, number, data.weights[i][j], data.size);
    markLeakingCell(cell, number, Boolean(data.leaks?.[i][j]));
    setOpen(cell, data.opens?.weights, i, j);
  });
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
  setText(number, masked ? "masked" : weight === 0 ? "0" : size !== "normal" ? shortNumber(weight) : decimals(weight, 2));
  number.className = masked ? "hidden" : "";
}

/** Make a table of cells one stop of the Tab key: arrow keys, Home and End move in it; Enter, Space and click pick the
    cell in row i and column j. */
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
      else pick(i, j);
    });
    cell.addEventListener("click", () => {
      go(cell);
      pick(i, j);
    });
  }));
}

/** What the shades mean. */
function legend() {
  return element("div", "legend", { "aria-hidden": "true" },
    element("span", "", {}, "weight 0"), element("span", "scale"), element("span", "", {}, "1"),
    element("span", "hatch sample"), element("span", "", {}, "masked"),
    element("span", "if-leaking", {}, "hatched number: leaks"));
}
