// Views that ask by the same key are a group: a pick in one of them moves all of them.

const groups = new Map(); // by group: the views on the page

/** The token that asks now. */
function askOf(data) {
  return pickOf(data.group, data, data.ask, data.query_tokens.length);
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
