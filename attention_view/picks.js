// What the learner last picked. It outlives the picture: Python repeats an old message after a pick (so that nothing need
// be sent), and a page that comes back may get that message too.

const picks = new Map(); // by the name of a picture, or of a group of pictures: {session, serial, place}

/** The place, of so many, that is picked now: the learner's own last pick until Python has seen it, else the one sent. */
function pickOf(name, { session, seen }, sent, count) {
  let own = picks.get(name);
  if (own?.session !== session) own = { session, serial: 0 };
  const isNewer = own.serial > seen && own.place < count;
  const place = isNewer ? own.place : sent;
  picks.set(name, { ...own, place });
  return place;
}

/** Note a pick; returns what tells Python whose it is, and after which others it comes. */
function notePick(name, place) {
  const own = picks.get(name);
  own.place = place;
  own.serial += 1;
  return { serial: own.serial, session: own.session };
}
