// A grid is one stop of the Tab key. Keys and clicks go from cell to cell, and begin to change one.

const PAGE = 10; // rows of the keys Page Up and Page Down

/** Where a key leads in a grid from a cell; itself if there is nothing further. */
function target(cells, { row, column }, event) {
  const last = { row: cells.length - 1, column: cells[0].length - 1 };
  const wholly = event.ctrlKey || event.metaKey;
  const at = (r, c) => cells[Math.min(Math.max(r, 0), last.row)][Math.min(Math.max(c, 0), last.column)];
  const ways = {
    ArrowUp: () => at(wholly ? 0 : row - 1, column),
    ArrowDown: () => at(wholly ? last.row : row + 1, column),
    ArrowLeft: () => at(row, wholly ? 0 : column - 1),
    ArrowRight: () => at(row, wholly ? last.column : column + 1),
    Home: () => at(wholly ? 0 : row, 0),
    End: () => at(wholly ? last.row : row, last.column),
    PageUp: () => at(row - PAGE, column),
    PageDown: () => at(row + PAGE, column),
  };
  return Object.hasOwn(ways, event.key) && !event.altKey && !event.shiftKey ? ways[event.key]() : null;
}

/** Let a grid be walked and its numbers be changed. */
function walkable(sheet, cellAt, acts, editor) {
  const isMask = sheet.data.kind === "mask";
  const canChange = () => !sheet.data.frozen;
  let pressed = false; // whether the pointer came down to change the cell: by touch, or where the focus was already
  sheet.root.addEventListener("focusin", (event) => {
    const cell = cellAt(event.target);
    if (!cell || event.target !== cell.root) return;
    sheet.current.root.tabIndex = -1;
    sheet.current = cell;
    cell.root.tabIndex = 0;
    acts.show(cell);
  });
  sheet.root.addEventListener("keydown", (event) => {
    const cell = cellAt(event.target);
    if (!cell || event.isComposing) return;
    const next = target(sheet.cells, cell, event);
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (next) next.root.focus();
    else if (!isPlain || !canChange()) return;
    else if (isMask && (event.key === " " || event.key === "Enter")) acts.set([[cell, 1 - cell.value]]);
    else if (isMask) return;
    else if (event.key === "Enter") editor.open(cell, null, { select: true });
    else if (event.key === "F2") editor.open(cell);
    else if (/^[\d.,+\-−]$/.test(event.key)) editor.open(cell, event.key);
    else return;
    event.preventDefault();
  });
  sheet.root.addEventListener("copy", (event) => {
    const cell = cellAt(event.target);
    if (cell?.root !== event.target) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", String(cell.value));
  });
  sheet.root.addEventListener("paste", (event) => {
    const cell = cellAt(event.target);
    if (cell?.root !== event.target || !canChange()) return;
    event.preventDefault();
    acts.paste(cell, event.clipboardData.getData("text/plain"));
  });
  if (isMask) {
    if (canChange()) paintable(sheet, cellAt, acts);
    return;
  }
  sheet.root.addEventListener("pointerdown", (event) => {
    const cell = cellAt(event.target);
    pressed = event.pointerType === "touch" || cell?.root === sheet.root.getRootNode().activeElement;
  });
  sheet.root.addEventListener("click", (event) => {
    const cell = cellAt(event.target);
    if (cell && canChange() && event.target !== cell.root.querySelector("input")) {
      if (pressed) editor.open(cell, null, { select: true });
    }
    pressed = false;
  });
}
