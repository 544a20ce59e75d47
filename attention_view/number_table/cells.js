// A cell: where it stands, its number now and at first, and how it is told in words.

function numberCell(sheet, row, column, root) {
  return { sheet, row, column, root, value: 0, usual: 0, overridden: false, held: null, isTyped: false };
}

function placeOf({ sheet, row, column }) {
  return [sheet.data.name, row, column];
}

function nameOf({ sheet, row, column }) {
  return `${sheet.data.row_names[row]}, ${sheet.data.column_names[column]}`;
}

function isChanged(cell) {
  return cell.overridden || cell.value !== cell.usual;
}

/** Whether it was set by hand: of intermediate results only what is overridden, the others follow. */
function canPutBack({ sheet, overridden, value, usual }) {
  return !sheet.data.frozen && (sheet.data.overridden ? overridden : value !== usual);
}

/** A value in words: a number, or what a switch of a mask says. */
function worded(sheet, value) {
  if (sheet.data.kind !== "mask") return written(value);
  return value ? "seen" : "hidden";
}

/** What is special about a cell. */
function noteOf(cell) {
  const was = cell.value === cell.usual ? "" : `, was ${worded(cell.sheet, cell.usual)}`;
  if (cell.overridden) return `set by hand${was}: what lies upstream no longer feeds it`;
  return was && `changed${was}`;
}

function limitsOf({ data }, largest) {
  return { kind: data.kind, above: data.minimum_exclusive, largest };
}
