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

/** A value in words: a number as it is shown, or what a switch of a mask says. */
function worded({ data }, value) {
  if (data.kind === "mask") return value ? "seen" : "hidden";
  return data.fields ? written(value) : shortened(value);
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

/** What can be done with a table, for those who have not tried yet. */
function invitation({ kind, frozen, fields }) {
  if (frozen || fields) return "";
  if (kind === "mask") return "Press a cell to hide it or to let it be seen; draw with the button held to paint several.";
  return "Type a number into any cell: Enter goes down, Tab goes right, Escape restores it.";
}
