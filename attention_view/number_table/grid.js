// A large table of numbers: light cells, headers that stand still, one stop of the Tab key.

const UPRIGHT = 4; // longer names of a mask's columns are set on end
const WORDS_WITH_COLOUR = ["query", "key", "value"];

/** Build a table; `acts` are the answers of the whole, `editor` the field in which numbers are typed. */
function gridSheet(data, acts, editor) {
  const sheet = { data, focus: (cell) => cell.root.focus() };
  const byElement = new Map();
  const columnHeads = data.column_names.map(() => gridHeader("col"));
  const rowHeads = data.row_names.map(() => gridHeader("row"));
  const title = element("div", "title", { "aria-hidden": "true" });
  const columnHeading = element("div", "heading", { "aria-hidden": "true" });
  const corner = data.row_heading ? gridHeader("col corner") : element("td", "corner");
  sheet.cells = data.values.map((row, r) => row.map((_, c) => {
    const cell = numberCell(sheet, r, c, element("td", "", { role: "gridcell", tabindex: -1 }));
    byElement.set(cell.root, cell);
    return cell;
  }));
  const table = element(
    "table", "", { role: "grid" },
    element("thead", "", { role: "rowgroup" }, element("tr", "", { role: "row" }, corner, ...columnHeads)),
    element("tbody", "", { role: "rowgroup" }, ...sheet.cells.map((row, r) =>
      element("tr", "", { role: "row" }, rowHeads[r], ...row.map((cell) => cell.root)))),
  );
  const scroll = element("div", "scroll", {}, table);
  sheet.root = element("div", `sheet ${data.kind}${data.frozen ? " frozen" : ""}`, {}, title, columnHeading, scroll);
  sheet.current = sheet.cells[0][0];
  sheet.current.root.tabIndex = 0;
  sheet.paint = paintCell;
  sheet.shade = () => shade(sheet);
  sheet.rename = () => {
    const { title: name, row_heading: rows, column_heading: columns } = sheet.data;
    setText(title, name);
    setHeading(columnHeading, columns);
    if (rows) setHeading(corner.firstChild, rows);
    table.setAttribute("aria-label", [name, rows && `rows: ${rows}`, columns && `columns: ${columns}`]
      .filter(Boolean).join("; "));
    table.setAttribute("aria-readonly", String(sheet.data.frozen));
    columnHeads.forEach((head, c) => setName(head, sheet.data.column_names[c]));
    rowHeads.forEach((head, r) => setName(head, sheet.data.row_names[r]));
    table.classList.toggle("on-end", data.kind === "mask" && sheet.data.column_names.some((it) => it.length > UPRIGHT));
  };
  /** Mark the row and the column of a cell lightly, and keep it clear of the headers that stand still. */
  sheet.mark = (cell) => {
    table.querySelectorAll(".across").forEach((marked) => marked.classList.remove("across"));
    if (!cell) return;
    scroll.style.scrollPadding = `${corner.offsetHeight + 2}px 2px 2px ${corner.offsetWidth + 2}px`;
    [rowHeads[cell.row], columnHeads[cell.column]].forEach((head) => head.classList.add("across"));
    [...sheet.cells[cell.row], ...sheet.cells.map((row) => row[cell.column])]
      .forEach((other) => other.root.classList.add("across"));
  };
  walkable(sheet, (node) => byElement.get(node.closest("td")), acts, editor);
  return sheet;
}

function gridHeader(className) {
  const [scope] = className.split(" ");
  return element("th", className, { scope, role: scope === "col" ? "columnheader" : "rowheader" }, element("bdi"));
}

function setName(head, name) {
  setText(head.firstChild, name);
  head.title = name; // long ones are cut
}

function setHeading(target, text) {
  setText(target, text);
  target.dataset.meaning = WORDS_WITH_COLOUR.find((word) => text.startsWith(word)) ?? "";
}

/** Bring a cell up to date; one that is being typed waits until then. */
function paintCell(cell) {
  const value = cell.held ?? cell.value;
  const note = noteOf(cell);
  const form = `${value} ${note}`;
  if (cell.isTyped || cell.painted === form) return;
  cell.painted = form;
  const { root, sheet } = cell;
  const isMask = sheet.data.kind === "mask";
  const words = isMask ? worded(sheet, value) : shortened(value);
  root.className = [
    isMask ? words : value === 0 && "zero", isChanged(cell) && "changed", cell.overridden && "overridden",
    root.classList.contains("across") && "across",
  ].filter(Boolean).join(" ");
  root.title = note;
  if (note || isMask) root.setAttribute("aria-label", note ? `${words}, ${note}` : words);
  else root.removeAttribute("aria-label");
  if (!isMask) root.replaceChildren(words);
}

/** Shade the cells by the size of their numbers, beside the largest at first: so a change leaves all others as they are. */
function shade(sheet) {
  if (sheet.data.kind === "mask" || sheet.data.kind === "plain") return;
  const cells = sheet.cells.flat();
  const largest = Math.max(...cells.map((cell) => Math.abs(cell.usual))) || 1;
  for (const cell of cells) {
    const share = Math.min(Math.abs(cell.value) / largest, 1).toFixed(3);
    if (cell.share === share && cell.isMinus === cell.value < 0) continue;
    Object.assign(cell, { share, isMinus: cell.value < 0 });
    cell.root.style.setProperty("--share", share);
    cell.root.toggleAttribute("data-minus", cell.isMinus);
  }
}
