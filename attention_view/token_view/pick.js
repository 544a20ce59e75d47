// The token that asks, as the learner last picked it. It outlives the picture: Python repeats an old message after a
// pick (so that nothing need be sent), and a page that comes back may get that message too.

const picks = new Map(); // by the component's key: {session, turn, serial, ask}

/**
 * The token that asks now. The message decides, except where the learner's own pick is newer: in the message's own
 * turn, or while Python has not yet seen the last pick.
 */
function askOf(data) {
  const own = picks.get(data.key);
  const sameSession = own?.session === data.session;
  const newer = sameSession && (own.turn === data.turn || own.serial > data.seen);
  const ask = newer && own.ask < data.query_tokens.length ? own.ask : data.ask;
  picks.set(data.key, { session: data.session, turn: data.turn, serial: sameSession ? own.serial : 0, ask });
  return ask;
}

/** Note a pick; returns what Python is told: the pick and its serial number. */
function notePick(data, ask) {
  const own = picks.get(data.key);
  own.ask = ask;
  own.serial += 1;
  return { ask, serial: own.serial };
}
