// The display in the sidebar: how many pages are seen and how many questions right, out of how many.

const TOLD = "attention-by-hand told"; // see tell.js

// One for the window, whatever Streamlit does with the display.
const store = (globalThis[Symbol.for(KEY)] ??= progressStore());
const displays = new WeakMap(); // by the component's element: Streamlit calls again with each new message

/** Streamlit's entry: build the display once, then bring it up to date. */
export default function ({ data: message, parentElement }) {
  let display = displays.get(parentElement);
  if (!display) displays.set(parentElement, (display = progressDisplay(parentElement)));
  display.update(JSON.parse(new TextDecoder().decode(message)));
  return () => {
    display.leave();
    displays.delete(parentElement);
  };
}

function progressDisplay(parentElement) {
  let data = { pages: [], questions: [] };
  const navigation = navigationMarks();
  const questions = questionMarks();
  const pageCount = countPart("Pages seen");
  const questionCount = countPart("Questions right");
  const notice = element("p", "notice", { role: "status" });

  const show = () => {
    const { seen, right } = store.now();
    pageCount.show(data.pages, seen);
    questionCount.show(data.questions, right);
    navigation.show(data.pages, seen);
    questions.show(data.questions, right);
    setText(notice, store.words());
  };
  const hear = () => {
    const told = globalThis[Symbol.for(TOLD)] ?? [];
    for (const message of told.splice(0)) store.hear(message);
    show();
  };
  const follow = (event) => {
    if (event.key !== KEY && event.key !== null) return; // null: all was cleared
    store.read();
    show();
  };
  const root = element("div", "progress", { role: "group", "aria-label": "Your progress" });
  root.append(pageCount.root, questionCount.root, notice, managePart(store, show));
  parentElement.append(root);
  addEventListener(TOLD, hear);
  addEventListener("storage", follow); // another window of this browser has changed it

  return {
    update(next) {
      data = next;
      store.open(data.page);
      store.hear(data.told);
      hear();
    },
    leave() {
      removeEventListener(TOLD, hear);
      removeEventListener("storage", follow);
      navigation.leave();
      questions.leave();
      root.remove();
    },
  };
}

/** "Pages seen 3 of 9" over a thin bar; hidden when there is nothing to count. */
function countPart(what) {
  const number = element("span", "number");
  const done = element("div");
  const root = element("div", "count", {}, element("p", "", {}, `${what} `, number));
  root.append(element("div", "bar", { "aria-hidden": "true" }, done));
  return {
    root,
    show(all, known) {
      const n = all.filter((name) => known.includes(name)).length;
      root.hidden = !all.length;
      setText(number, `${n} of ${all.length}`);
      done.style.width = `${(100 * n) / Math.max(all.length, 1)}%`;
    },
  };
}
