// What leaks: a masked pair that has a weight all the same, as a layer with a mistake gives it. It is drawn as masked
// (hatched) and as weighted (a number, a line), and said in words.

/** Which of the shown pairs leak, one row ({row: i}) or one column ({column: j}); an empty list if none does. */
function shownLeaks(data, shown) {
  if (!data.leaks) return [];
  return "row" in shown ? data.leaks[shown.row] : data.leaks.map((row) => row[shown.column]);
}

/** Mark a token whose share leaks, beside its line. */
function markLeak(token, leaks) {
  token.row.classList.toggle("leaks", leaks);
  if (!leaks) return;
  setText(token.share, `${token.share.textContent} leaks`);
  token.button.title = `${token.name}: masked, but leaks`;
}

/** Mark a cell of the grid that leaks; those who hear it hear it after the number. */
function markLeakingCell(cell, number, leaks) {
  cell.classList.toggle("leaks", leaks);
  if (leaks) cell.setAttribute("aria-label", `${number.textContent}, masked, but leaks`);
  else cell.removeAttribute("aria-label");
}
