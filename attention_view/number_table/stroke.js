// Cells of a mask are switches. A press turns one over; drawn on with the button held, it gives all the same value.

/** Let a mask be painted with mouse or pen; a touch scrolls, and turns over what it taps. */
function paintable(sheet, cellAt, acts) {
  let stroke = null; // {value, last}: what is painted, and the cell that was painted last
  let painted = false; // a click that ends a stroke turns nothing over
  const hold = (cell) => {
    cell.held = stroke.value;
    sheet.paint(cell);
  };
  const end = (isTaken) => {
    const held = sheet.cells.flat().filter((cell) => cell.held !== null);
    const changes = held.filter((cell) => cell.held !== cell.value).map((cell) => [cell, cell.held]);
    held.forEach((cell) => (cell.held = null));
    stroke = null;
    if (isTaken && changes.length) acts.set(changes);
    else held.forEach(sheet.paint);
    document.removeEventListener("pointerup", finish);
    document.removeEventListener("pointercancel", cancel);
    document.removeEventListener("keydown", escape, true);
  };
  const finish = () => end(true);
  const cancel = () => end(false);
  const escape = (event) => event.key === "Escape" && cancel();

  sheet.root.addEventListener("pointerdown", (event) => {
    const cell = cellAt(event.target);
    painted = false;
    if (!cell || event.pointerType === "touch" || event.button !== 0) return;
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    painted = true;
    stroke = { value: 1 - cell.value, last: cell };
    hold(cell);
    document.addEventListener("pointerup", finish);
    document.addEventListener("pointercancel", cancel);
    document.addEventListener("keydown", escape, true);
  });
  sheet.root.addEventListener("pointermove", (event) => {
    const cell = stroke && cellAt(event.target);
    if (!cell || cell === stroke.last) return;
    between(sheet.cells, stroke.last, cell).forEach(hold);
    stroke.last = cell;
  });
  sheet.root.addEventListener("click", (event) => {
    const cell = cellAt(event.target);
    if (cell && !painted) acts.set([[cell, 1 - cell.value]]);
    painted = false;
  });
}

/** The cells on the way from one to another: a quick hand passes over some between two events. */
function between(cells, from, to) {
  const [rows, columns] = [to.row - from.row, to.column - from.column];
  const steps = Math.max(Math.abs(rows), Math.abs(columns));
  return Array.from({ length: steps }, (_, n) => {
    const share = (n + 1) / steps;
    return cells[Math.round(from.row + rows * share)][Math.round(from.column + columns * share)];
  });
}
