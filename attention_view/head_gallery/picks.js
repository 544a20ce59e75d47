// The head that is picked, as the reader last picked it. It outlives the picture: Python repeats an old message after a
// pick, and a page that comes back may get that message too.

const picks = new Map(); // by the gallery's key: {session, serial, head}

/** The head that is picked now: the reader's own last pick until Python has seen it, else the one of the message. */
function pickedOf(data) {
  let own = picks.get(data.key);
  if (own?.session !== data.session) own = { session: data.session, serial: 0 };
  const isNewer = own.serial > data.seen && own.head < data.layers * data.heads;
  picks.set(data.key, { ...own, head: isNewer ? own.head : data.picked });
  return picks.get(data.key).head;
}

/** Note a pick; returns what Python is told: the pick, its serial number, and whose it is. */
function notePick(data, head) {
  const own = picks.get(data.key);
  own.head = head;
  own.serial += 1;
  return { head, serial: own.serial, session: own.session };
}
