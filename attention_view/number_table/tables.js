// All tables of one component, and the line below them.

const PATIENCE = 3000; // milliseconds until Python is told again what it has not seen

const views = new WeakMap(); // by the component's element: Streamlit calls again with each new message

/** Streamlit's entry: build once, then bring up to date. */
export default function ({ data: message, parentElement, setStateValue }) {
  const data = JSON.parse(new TextDecoder().decode(message));
  const form = JSON.stringify(data.tables.map(formOf));
  let view = views.get(parentElement);
  const isNew = view?.form !== form;
  if (isNew) {
    view?.leave();
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
    view.rest();
    view.root.remove();
    views.delete(parentElement);
  };
}

/** What a table is built for; all else can change while it stands. */
function formOf({ name, kind, frozen, fields, row_names: rows, column_names: columns, row_heading: heading }) {
  return [name, kind, frozen, fields, rows.length, columns.length, heading === ""];
}

function numberTables(first) {
  let data = first;
  let own = ownSteps(first);
  let shown = null; // the cell of a grid that the line tells about
  let lastChanged = null; // the changed cell that "Put back" means
  const view = {};

  const offer = () => {
    if (lastChanged && !canPutBack(lastChanged)) lastChanged = null;
    line.offer(lastChanged, cells.some(canPutBack));
    if (shown) line.tell(shown);
  };
  let waits = 0;
  let times = 0;
  /** Tell Python, and again after a while if it has not seen all: a newer click can cut its answer short. */
  const tell = () => {
    times += 1; // so that the same steps are news
    view.tell("edits", { session: own.session, steps: [...own.pending], times });
    clearTimeout(waits);
    waits = setTimeout(() => own.pending.length && tell(), PATIENCE);
  };
  const acts = {
    show(cell) {
      if (canPutBack(cell)) lastChanged = cell;
      shown = cell.sheet.data.fields ? null : cell;
      sheets.forEach((sheet) => sheet.mark?.(sheet === cell.sheet ? cell : null));
      line.say("");
      offer();
    },
    /** Change cells in one step, a list of [cell, value], and tell Python; null puts a number back. */
    set(changes) {
      if (!changes.length) return;
      noteStep(own, changes);
      changes.forEach(([cell, value]) => applyEdit(cell, value));
      changes.forEach(([cell]) => cell.sheet.paint(cell));
      new Set(changes.map(([cell]) => cell.sheet)).forEach((sheet) => sheet.shade?.());
      lastChanged = changes.at(-1)[0];
      line.say("");
      offer();
      tell();
    },
    /** Take what was typed; false if it is refused. */
    take(cell, text) {
      if (text === written(cell.value)) return true;
      const limits = limitsOf(cell.sheet, data.largest);
      const value = parsed(text, limits);
      if (value === null) {
        line.say(`${nameOf(cell)}: ${mustHold(limits)} must stand here, but it was “${text}”. `
          + `${written(cell.value)} stays.`, true);
        return false;
      }
      if (value !== cell.value) acts.set([[cell, value]]);
      return true;
    },
    /** Fill a block of cells from one on, wholly or not at all. */
    paste(cell, text) {
      const { changes, refusal } = pasted(cell, text, limitsOf(cell.sheet, data.largest));
      if (refusal) line.say(refusal, true);
      else acts.set(changes);
    },
    putBack() {
      const cell = lastChanged;
      acts.set([[cell, null]]);
      cell.sheet.focus(cell);
    },
    putAllBack() {
      acts.set(cells.filter(canPutBack).map((cell) => [cell, null]));
      sheets[0].focus(sheets[0].current ?? cells[0]);
    },
  };
  const editor = cellEditor(acts);
  const line = lineBelow(acts, first.tables.map(invitation).find(Boolean) ?? "");
  const sheets = first.tables.map((table) => (table.fields ? fieldSheet : gridSheet)(table, acts, editor));
  const cells = sheets.flatMap((sheet) => sheet.cells.flat());
  view.root = element("div", "number-tables", {},
    element("div", "tables", {}, ...sheets.map((sheet) => sheet.root)), line.root);
  view.root.classList.toggle("with-grid", first.tables.some((table) => !table.fields));
  view.leave = () => editor.finish();
  view.rest = () => clearTimeout(waits);
  /** Tell again what was done just before the page was left: Python may never have heard of it. */
  view.repeat = () => {
    if (own.pending.length) tell();
  };
  view.update = (next) => {
    data = next;
    own = ownSteps(next);
    const pending = pendingValues(own);
    sheets.forEach((sheet, n) => {
      sheet.data = next.tables[n];
      sheet.rename();
      takeNumbers(sheet, pending);
      sheet.cells.flat().forEach(sheet.paint);
      sheet.shade?.();
    });
    offer();
    view.root.dataset.seen = next.seen;
  };
  return view;
}
