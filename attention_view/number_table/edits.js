// What Python is told: steps with rising serial numbers, each repeated until Python has seen it. A step is all that one
// act changed, so that it is undone as one.

const told = new Map(); // by the component's key: {session, serial, pending}; it outlives the picture

/** The steps that Python has not seen yet. */
function ownSteps(data) {
  let own = told.get(data.key);
  if (own?.session !== data.session) own = { session: data.session, serial: 0, pending: [] };
  own.serial = Math.max(own.serial, data.seen);
  own.pending = own.pending.filter(([serial]) => serial > data.seen);
  told.set(data.key, own);
  return own;
}

/** Note a step: a list of [cell, value]; null puts a number back. */
function noteStep(own, changes) {
  own.serial += 1;
  own.pending.push([own.serial, changes.map(([cell, value]) => [...placeOf(cell), value])]);
}

/** What the pending steps say of each place; the last one counts. */
function pendingValues(own) {
  return new Map(own.pending.flatMap(([, edits]) => edits.map((edit) => [edit.slice(0, 3).join(" "), edit[3]])));
}

/** Bring the cells of a table up to date: the message, and over it what Python has not seen yet. */
function takeNumbers(sheet, pending) {
  const { values, defaults, overridden } = sheet.data;
  const usual = new Map(defaults.map(([row, column, value]) => [`${row} ${column}`, value]));
  const set = new Set(overridden?.map((place) => place.join(" ")));
  for (const cell of sheet.cells.flat()) {
    const place = `${cell.row} ${cell.column}`;
    cell.value = values[cell.row][cell.column];
    cell.usual = usual.get(place) ?? cell.value;
    cell.overridden = set.has(place);
    const key = placeOf(cell).join(" ");
    if (pending.size && pending.has(key)) applyEdit(cell, pending.get(key));
  }
}

/** Show an edit before Python has answered. */
function applyEdit(cell, value) {
  cell.value = value ?? cell.usual;
  cell.overridden = value !== null && cell.sheet.data.overridden !== null;
}
