// One table of numbers: each cell is an input that looks like a number until it is used.

/** Build a table; `acts` are the answers of the whole: commit, show, settled. */
function numberTable(data, acts) {
  const cells = data.values.map((row, r) => row.map((_, c) => numberCell(data, r, c)));
  const head = data.column_names.map((name) => element("th", "", { scope: "col" }, name));
  const rows = cells.map((row, r) =>
    element("tr", "", {}, element("th", "", { scope: "row" }, data.row_names[r]),
      ...row.map((cell) => element("td", "", {}, cell.input))));
  cells.forEach((row, r) => row.forEach((cell, c) => listen(cell, neighbours(cells, r, c), acts)));
  const root = element(
    "table", data.kind, {},
    element("caption", "", {}, data.title),
    element("thead", "", {}, element("tr", "", {}, element("td"), ...head)),
    element("tbody", "", {}, ...rows),
  );
  return { root, cells: cells.flat() };
}

function numberCell(data, row, column) {
  const name = `${data.row_names[row]}, ${data.column_names[column]}`;
  const input = element("input", "", { inputmode: "decimal", autocomplete: "off", spellcheck: "false", size: 5 });
  return { table: data.name, row, column, name, input, value: 0, usual: 0 };
}

/** Bring a cell up to date; one that is being typed keeps its text. */
function fillCell(cell, value, usual, isTyped) {
  Object.assign(cell, { value, usual });
  const changed = value !== usual;
  const was = changed ? `changed, was ${written(usual)}` : "";
  cell.input.classList.toggle("changed", changed);
  cell.input.title = was;
  cell.input.setAttribute("aria-label", changed ? `${cell.name}, ${was}` : cell.name);
  if (!isTyped) cell.input.value = written(value);
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
  const { input } = cell;
  input.addEventListener("focus", () => {
    input.select();
    acts.show(cell);
  });
  input.addEventListener("input", () => input.removeAttribute("aria-invalid"));
  input.addEventListener("blur", () => {
    acts.commit(cell);
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
      if (event.key === "ArrowLeft" && input.selectionStart > 0) return;
      if (event.key === "ArrowRight" && input.selectionEnd < input.value.length) return;
      event.preventDefault();
      if (acts.commit(cell)) near[event.key]?.input.focus();
    }
  });
}
