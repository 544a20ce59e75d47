// The token that asks, as the learner last picked it. It outlives the picture: Python repeats an old message after a
// pick (so that nothing need be sent), and a page that comes back may get that message too. Views of one group share it.

const picks = new Map(); // by group: {session, serial, ask}
const groups = new Map(); // by group: the views on the page

/** The token that asks now: the learner's own last pick until Python has seen it, else the one of the message. */
function askOf(data) {
  let own = picks.get(data.group);
  if (own?.session !== data.session) own = { session: data.session, serial: 0 };
  const isNewer = own.serial > data.seen && own.ask < data.query_tokens.length;
  picks.set(data.group, { ...own, ask: isNewer ? own.ask : data.ask });
  return picks.get(data.group).ask;
}

/** Note a pick; returns what Python is told: the pick and its serial number. */
function notePick(data, ask) {
  const own = picks.get(data.group);
  own.ask = ask;
  own.serial += 1;
  return { ask, serial: own.serial };
}

/** Let a view follow the picks of its group until the returned function is called. */
function joinGroup(group, view) {
  if (!groups.has(group)) groups.set(group, new Set());
  groups.get(group).add(view);
  return () => groups.get(group).delete(view);
}

/** The other views of a view's group. */
function othersOf(group, view) {
  return [...groups.get(group)].filter((other) => other !== view);
}
