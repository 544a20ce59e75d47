// Numbers that come from another program and go there: a block of lines with tabs between the cells.

function isBlock(text) {
  return /[\t\n]/.test(text.trim());
}

/** What a pasted block changes from a cell on: {changes: [[cell, value]…]}, or {refusal} with what is wrong with it. */
function pasted(from, text, limits) {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n").map((line) => line.split("\t"));
  const { cells } = from.sheet;
  const [rows, columns] = [cells.length - from.row, cells[0].length - from.column];
  const widest = Math.max(...lines.map((line) => line.length));
  if (lines.length > rows || widest > columns) {
    return { refusal: `From ${nameOf(from)} there is room for ${rows} × ${columns} numbers, but ${lines.length} × `
      + `${widest} were pasted. Nothing was changed.` };
  }
  const changes = [];
  for (const [r, line] of lines.entries()) {
    for (const [c, word] of line.entries()) {
      const [cell, value] = [cells[from.row + r][from.column + c], parsed(word, limits)];
      if (value === null) {
        return { refusal: `${nameOf(cell)}: ${mustHold(limits)} must stand here, but “${word}” was pasted. `
          + "Nothing was changed." };
      }
      changes.push([cell, value]);
    }
  }
  return { changes: changes.filter(([cell, value]) => value !== cell.value) };
}
