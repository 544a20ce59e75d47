// All questions as a row of small numbered buttons, grouped by page. They stand in the page itself, not in a shadow
// tree, so that the learner's progress can mark those that are already answered right.

const built = new WeakMap(); // by the component's element

export default function ({ data, parentElement, setTriggerValue }) {
  const message = JSON.parse(new TextDecoder().decode(data));
  const form = JSON.stringify(message.groups);
  let view = built.get(parentElement);
  if (view?.form !== form) {
    view?.root.remove();
    view = { form, root: nav(message.groups, (id) => view.pick(id)) };
    parentElement.append(view.root);
    built.set(parentElement, view);
  }
  view.pick = (id) => setTriggerValue("picked", id);
  for (const button of view.root.querySelectorAll("button")) {
    const id = button.dataset.question;
    if (id === message.current) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
    button.classList.toggle("right", message.right.includes(id));
    button.classList.toggle("tried", message.tried.includes(id));
  }
}

function nav(groups, pick) {
  const root = document.createElement("nav");
  root.className = "av-questions";
  root.setAttribute("aria-label", "Questions");
  for (const { title, questions } of groups) {
    const group = document.createElement("div");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", title);
    for (const { id, number } of questions) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.question = id;
      button.title = title;
      const spoken = document.createElement("span");
      spoken.className = "av-visually-hidden";
      spoken.textContent = "Question ";
      button.append(spoken, String(number));
      button.addEventListener("click", () => pick(id));
      group.append(button);
    }
    root.append(group);
  }
  return root;
}
