// A small table of numbers: each cell is a field that looks like a number until it is used.

/** Build a table; `acts` are the answers of the whole: take, show. */
function fieldSheet(data, acts) {
  const sheet = { data, paint: paintField, focus: (cell) => cell.root.focus() };
  sheet.cells = data.values.map((row, r) => row.map((_, c) => numberCell(sheet, r, c, numberField())));
  const columnHeads = data.column_names.map(() => element("th", "", { scope: "col" }));
  const rowHeads = data.row_names.map(() => element("th", "", { scope: "row" }));
  const rows = sheet.cells.map((row, r) =>
    element("tr", "", {}, rowHeads[r], ...row.map((cell) => element("td", "", {}, cell.root))));
  const caption = element("caption");
  sheet.rename = () => {
    setText(caption, sheet.data.title);
    columnHeads.forEach((head, c) => setText(head, sheet.data.column_names[c]));
    rowHeads.forEach((head, r) => setText(head, sheet.data.row_names[r]));
  };
  sheet.cells.forEach((row, r) => row.forEach((cell, c) => listen(cell, neighbours(sheet.cells, r, c), acts)));
  sheet.root = element(
    "table", data.kind, {},
    caption,
    element("thead", "", {}, element("tr", "", {}, element("td"), ...columnHeads)),
    element("tbody", "", {}, ...rows),
  );
  return sheet;
}

function numberField() {
  return element("input", "", { inputmode: KEYPAD, autocomplete: "off", spellcheck: "false", size: 5 });
}

/** Bring a cell up to date; one that is being typed keeps its text. */
function paintField(cell) {
  const [input, name, note] = [cell.root, nameOf(cell), noteOf(cell)];
  const isTyped = input.getRootNode().activeElement === input && input.value !== cell.painted;
  input.classList.toggle("changed", isChanged(cell));
  input.title = note;
  input.setAttribute("aria-label", note ? `${name}, ${note}` : name);
  cell.painted = written(cell.value);
  if (!isTyped) input.value = cell.painted;
}

/** Where the keys lead from a cell. */
function neighbours(cells, r, c) {
  return {
    ArrowUp: cells[r - 1]?.[c],
    ArrowDown: cells[r + 1]?.[c],
    ArrowLeft: cells[r][c - 1],
    ArrowRight: cells[r][c + 1],
    Enter: cells[r + 1]?.[c] ?? cells[0][c + 1],
  };
}

function listen(cell, near, acts) {
  const input = cell.root;
  const commit = () => {
    const taken = acts.take(cell, input.value);
    if (taken) input.value = written(cell.value);
    else input.setAttribute("aria-invalid", "true");
    return taken;
  };
  input.addEventListener("focus", () => {
    input.select();
    acts.show(cell);
  });
  input.addEventListener("input", () => input.removeAttribute("aria-invalid"));
  input.addEventListener("blur", () => {
    commit();
    input.removeAttribute("aria-invalid");
    input.value = written(cell.value); // the former number stands again; the line below says what was refused
  });
  input.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.key === "Escape") {
      input.value = written(cell.value);
      input.removeAttribute("aria-invalid");
      input.select();
      acts.show(cell);
    } else if (event.key in near) {
      if (atEdge(input, event.key)) return;
      event.preventDefault();
      if (commit()) near[event.key]?.root.focus();
    }
  });
}
