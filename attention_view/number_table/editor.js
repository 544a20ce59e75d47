// The one field of all grids: it lies over the cell that is being changed.

const KEYPAD = /iP(hone|od|ad)/.test(navigator.userAgent) ? "text" : "decimal"; // the latter has no minus on iOS

/** Whether an arrow key still has a way to go inside the text of a field. */
function atEdge(input, key) {
  return (key === "ArrowLeft" && input.selectionStart > 0)
    || (key === "ArrowRight" && input.selectionEnd < input.value.length);
}

/** Build the field. `acts` are the answers of the whole: take, paste, show. */
function cellEditor(acts) {
  const input = element("input", "editor", { inputmode: KEYPAD, autocomplete: "off", spellcheck: "false" });
  let cell = null;

  /** Take the field away; the cell shows its number again. */
  const close = ({ focus = true } = {}) => {
    const closed = cell;
    cell = null; // first, so that the field's blur means nothing
    closed.isTyped = false;
    if (focus) closed.root.focus();
    input.remove();
    closed.sheet.paint(closed);
  };
  const commit = () => {
    const taken = acts.take(cell, input.value);
    if (!taken) input.setAttribute("aria-invalid", "true");
    return taken;
  };
  const moves = (event, near) => {
    if (event.key === "Enter") return event.shiftKey ? near.ArrowUp : near.Enter;
    if (event.key === "Tab") return event.shiftKey ? near.ArrowLeft : near.ArrowRight;
    return near[event.key];
  };
  input.addEventListener("input", () => input.removeAttribute("aria-invalid"));
  input.addEventListener("blur", () => {
    if (!cell || !document.hasFocus()) return; // another window has come before this one: the text waits
    commit();
    close({ focus: false });
  });
  input.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain");
    if (!isBlock(text)) return;
    event.preventDefault();
    const from = cell;
    close();
    acts.paste(from, text);
  });
  input.addEventListener("keydown", (event) => {
    event.stopPropagation(); // the keys of the grid rest meanwhile
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      const left = cell;
      close();
      acts.show(left);
    } else if (["Enter", "Tab", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].includes(event.key)) {
      if (atEdge(input, event.key)) return;
      const from = cell;
      if (!commit()) return event.preventDefault();
      const next = moves(event, neighbours(from.sheet.cells, from.row, from.column));
      close();
      if (next || event.key !== "Tab") event.preventDefault(); // at the end of its row, Tab leaves the table
      if (next) next.root.focus();
    }
  });
  return {
    /** Change a cell: its whole number, or anew from a first sign. */
    open(next, text = null, { select = false } = {}) {
      if (cell) return;
      cell = next;
      cell.isTyped = true;
      input.value = text ?? written(cell.value);
      input.removeAttribute("aria-invalid");
      input.setAttribute("aria-label", nameOf(cell));
      cell.root.append(input);
      input.focus();
      if (select) input.select();
    },
    /** Take what is being typed, before the table goes. */
    finish() {
      if (!cell) return;
      commit();
      close({ focus: false });
    },
  };
}
