// Marks in the page itself: a check sign on the seen pages of the navigation, and on questions answered right.

const ANSWERED = "av-answered-right";

/** Build the sheet that marks the seen pages, by their places in the navigation; marks.css says how a mark looks. */
function navigationMarks() {
  const sheet = document.createElement("style");
  document.head.append(sheet);
  return {
    show(pages, seen) {
      const rules = pages.map((stem, place) =>
        seen.includes(stem)
          ? `[data-testid="stSidebarNavItems"] li:nth-of-type(${place + 1}) a::after { content: "check" / "seen"; }`
          : "",
      );
      setText(sheet, rules.join("\n"));
    },
    leave: () => sheet.remove(),
  };
}

/** Mark the questions that are in the page, and those that come into it before they are painted. */
function questionMarks() {
  let right = [];
  const mark = () => document.querySelectorAll("[data-question]").forEach((question) => markQuestion(question, right));
  const observer = new MutationObserver(mark);
  let isWatching = false;
  return {
    show(questions, known) {
      right = known;
      if (!questions.length) return;
      mark();
      const what = { subtree: true, childList: true, attributeFilter: ["data-question"] };
      if (!isWatching) observer.observe(document.body, what);
      isWatching = true;
    },
    leave: () => observer.disconnect(),
  };
}

function markQuestion(question, right) {
  const isRight = right.includes(question.dataset.question);
  const words = question.querySelector(`:scope > .${ANSWERED}`);
  if (question.hasAttribute("data-right") !== isRight) question.toggleAttribute("data-right", isRight);
  if (isRight && !words) question.append(element("span", `${ANSWERED} av-visually-hidden`, {}, " answered right"));
  if (!isRight) words?.remove();
}
