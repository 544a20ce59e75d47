// Export, import and clear, folded away below the numbers.

const FILE = "attention-by-hand-progress.json";

/** Build the fold. `changed` is called after the store has changed. */
function managePart(store, changed) {
  const said = element("p", "said", { role: "status" });
  const say = (text) => setText(said, text);
  const picker = element("input", "", { type: "file", accept: ".json,application/json", hidden: "" });
  const row = element(
    "div",
    "acts",
    {},
    button("Export", () => say(exportFile(store))),
    button("Import", () => picker.click()),
  );
  const asking = clearing(row, () => {
    store.clear();
    changed();
    say("Cleared.");
  }, () => say(""));
  picker.addEventListener("change", async () => {
    const [file] = picker.files;
    if (file) say(await importFile(store, file));
    picker.value = ""; // so that the same file can be picked again
    changed();
  });
  const fold = element(
    "details",
    "",
    {},
    element("summary", "", {}, "Export, import, clear"),
    element("p", "", {}, "Kept in this browser only. An imported file is added to what is here."),
    row,
    asking.root,
    picker,
    said,
  );
  fold.addEventListener("toggle", () => {
    if (!fold.open) asking.leave();
  });
  return fold;
}

/** Add the button "Clear" to the row of buttons; a click puts a question in the row's place. */
function clearing(row, clear, begin) {
  const ask = button("Clear", () => {
    begin();
    root.hidden = !(row.hidden = true);
    keep.focus();
  });
  const leave = () => (root.hidden = !(row.hidden = false));
  const back = () => {
    leave();
    ask.focus();
  };
  const yes = button("Yes, clear", () => {
    back();
    clear();
  });
  const keep = button("Keep", back);
  const question = element("p", "", { id: "question" }, "Clear all progress?");
  const answers = element("div", "acts", {}, yes, keep);
  const root = element("div", "asking", { role: "group", "aria-labelledby": "question", hidden: "" }, question, answers);
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    back();
  });
  row.append(ask);
  return { root, leave };
}

function exportFile(store) {
  store.read();
  const address = URL.createObjectURL(new Blob([textOf(store.now())], { type: "application/json" }));
  element("a", "", { href: address, download: FILE }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return `Saved as ${FILE}.`;
}

/** Add a file's progress to what is here; returns what was done. A bad file changes nothing. */
async function importFile(store, file) {
  const refused = (fault) => `Not imported: the file ${fault}. Your progress is as it was.`;
  if (file.size > LARGEST) return refused("is larger than 100 kB");
  const { progress, fault } = progressOf(await file.text().catch(() => ""));
  if (fault) return refused(fault);
  store.read();
  const before = store.now();
  store.add(progress);
  const pages = store.now().seen.length - before.seen.length;
  const answers = store.now().right.length - before.right.length;
  if (!pages && !answers) return "Imported: all of it was here already.";
  return `Imported: ${count(pages, "page")} and ${count(answers, "right answer")} added.`;
}

function count(n, thing) {
  return `${n} ${thing}${n === 1 ? "" : "s"}`;
}

function button(text, act) {
  const made = element("button", "", { type: "button" }, text);
  made.addEventListener("click", act);
  return made;
}
