// The token that asks, as the learner last picked it. It outlives the picture: Python repeats an old message after a
// pick (so that nothing need be sent), and a page that comes back may get that message too.

const picks = new Map(); // by the component's key: {session, serial, ask}

/** The token that asks now: the learner's own last pick until Python has seen it, else the one of the message. */
function askOf(data) {
  let own = picks.get(data.key);
  if (own?.session !== data.session) own = { session: data.session, serial: 0 };
  const isNewer = own.serial > data.seen && own.ask < data.query_tokens.length;
  picks.set(data.key, { ...own, ask: isNewer ? own.ask : data.ask });
  return picks.get(data.key).ask;
}

/** Note a pick; returns what Python is told: the pick and its serial number. */
function notePick(data, ask) {
  const own = picks.get(data.key);
  own.ask = ask;
  own.serial += 1;
  return { ask, serial: own.serial };
}
