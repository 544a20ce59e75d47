// The line below the tables: the cell that is looked at, what was refused, and the ways back.

/** Build the line with the words that it begins with; `acts` answer its buttons: putBack, putAllBack. */
function lineBelow(acts, invites) {
  const about = element("p", "about", {}, invites);
  const words = element("span", "words");
  const opens = element("button", "open none", { type: "button" }, "Open its arithmetic");
  const back = element("button", "back", { type: "button" });
  const all = element("button", "all", { type: "button" }, "Put all numbers back");
  back.addEventListener("click", () => acts.putBack());
  all.addEventListener("click", () => acts.putAllBack());
  return {
    root: element("div", "line", {}, about, element("p", "", { role: "status" }, words), opens, back, all),
    say(text, isRefusal = false) {
      setText(words, text);
      about.classList.toggle("behind", isRefusal);
      words.classList.toggle("refusal", isRefusal);
    },
    /** Tell about a cell of a grid: its whole number, and how its arithmetic is opened. */
    tell(cell) {
      const note = noteOf(cell);
      const value = cell.sheet.data.kind === "mask" ? worded(cell.sheet, cell.value) : written(cell.value);
      setText(about, `${nameOf(cell)}: ${value}${note && ` (${note})`}`);
      about.classList.toggle("changed", Boolean(note));
      const pattern = cell.sheet.data.opens;
      opens.classList.toggle("none", !pattern);
      opens.dataset.open = pattern.replaceAll("{row}", cell.row).replaceAll("{column}", cell.column);
      if (!pattern) delete opens.dataset.open;
    },
    /** Offer the ways back: for one cell, or none, and for all. */
    offer(cell, hasAny) {
      back.classList.toggle("none", !cell);
      if (cell) setText(back, `Put back ${worded(cell.sheet, cell.usual)} (${nameOf(cell)})`);
      all.classList.toggle("none", !hasAny);
    },
  };
}
