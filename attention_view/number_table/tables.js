// All tables of one component, the line below them, and what Python is told.

const views = new WeakMap(); // by the component's element: Streamlit calls again with each new message
const told = new Map(); // by the component's key: {session, serial, pending}; it outlives the picture

/** Streamlit's entry: build once, then bring up to date. */
export default function ({ data: message, parentElement, setStateValue }) {
  const data = JSON.parse(new TextDecoder().decode(message));
  const form = JSON.stringify(data.tables.map((table) => [table.name, table.row_names, table.column_names]));
  let view = views.get(parentElement);
  const isNew = view?.form !== form;
  if (isNew) {
    view?.root.remove();
    view = numberTables(data);
    view.form = form;
    views.set(parentElement, view);
    parentElement.append(view.root);
  }
  view.tell = setStateValue;
  view.update(data);
  if (isNew) view.repeat();
  return () => {
    view.root.remove();
    views.delete(parentElement);
  };
}

/** What was typed and Python has not seen yet. */
function edits(data) {
  let own = told.get(data.key);
  if (own?.session !== data.session) own = { session: data.session, serial: 0, pending: new Map() };
  own.serial = Math.max(own.serial, data.seen);
  for (const [place, edit] of own.pending) if (edit.at(-1) <= data.seen) own.pending.delete(place);
  told.set(data.key, own);
  return own;
}

function numberTables(first) {
  let data = first;
  let own = edits(first);
  const words = element("span", "words");
  const back = element("button", "back", { type: "button" });
  const all = element("button", "all", { type: "button" }, "Put all numbers back");
  let lastChanged = null; // the changed cell that "Put back" means
  const view = { root: element("div", "number-tables") };

  const change = (cell, value) => {
    own.pending.set(placeOf(cell), [cell.table, cell.row, cell.column, value, ++own.serial]);
    fillCell(cell, value, cell.usual, false);
  };
  const tell = () => {
    view.tell("edits", { session: own.session, edits: [...own.pending.values()] });
    mark();
  };
  const say = (text, isRefusal = false) => {
    setText(words, text);
    words.classList.toggle("refusal", isRefusal);
  };
  const mark = () => {
    if (lastChanged?.value === lastChanged?.usual) lastChanged = null;
    back.classList.toggle("none", !lastChanged);
    if (lastChanged) setText(back, `Put back ${written(lastChanged.usual)} (${lastChanged.name})`);
    all.classList.toggle("none", cells.every((cell) => cell.value === cell.usual));
  };
  const acts = {
    show(cell) {
      if (cell.value !== cell.usual) lastChanged = cell;
      say("");
      mark();
    },
    /** Take what was typed; false if it is refused. */
    commit(cell) {
      const { input } = cell;
      if (input.value === written(cell.value)) return true;
      const value = parsed(input.value, data.largest);
      if (value === null) {
        const limit = data.largest.toLocaleString("en");
        say(`${cell.name}: a number from −${limit} to ${limit} must stand here, but it was “${input.value}”. `
          + `${written(cell.value)} stays.`, true);
        input.setAttribute("aria-invalid", "true");
        return false;
      }
      const isNew = value !== cell.value;
      if (!isNew) input.value = written(value);
      else {
        change(cell, value);
        lastChanged = cell;
        say("");
        tell();
      }
      return true;
    },
  };
  const tables = first.tables.map((table) => numberTable(table, acts));
  const cells = tables.flatMap((table) => table.cells);
  back.addEventListener("click", () => {
    const cell = lastChanged;
    change(cell, cell.usual);
    cell.input.focus();
    tell();
  });
  all.addEventListener("click", () => {
    cells.filter((cell) => cell.value !== cell.usual).forEach((cell) => change(cell, cell.usual));
    cells[0].input.focus();
    tell();
  });
  view.root.append(
    element("div", "tables", {}, ...tables.map((table) => table.root)),
    element("div", "line", {}, element("p", "", { role: "status" }, words), back, all),
  );
  /** Tell again what was typed just before the page was left: Python may never have heard of it. */
  view.repeat = () => {
    if (own.pending.size) tell();
  };
  view.update = (next) => {
    data = next;
    own = edits(next);
    const active = view.root.getRootNode().activeElement;
    cells.forEach((cell) => {
      const table = next.tables.find((one) => one.name === cell.table);
      const value = own.pending.get(placeOf(cell))?.[3] ?? table.values[cell.row][cell.column];
      const isTyped = cell.input === active && cell.input.value !== written(cell.value);
      fillCell(cell, value, table.defaults[cell.row][cell.column], isTyped);
    });
    mark();
    view.root.dataset.seen = next.seen;
  };
  return view;
}

function placeOf({ table, row, column }) {
  return `${table} ${row} ${column}`;
}
