// The list of all that can be taken away, a button for each form. It stands in the page itself, in the page's styles.

const built = new WeakMap(); // by the component's element
const known = new Set(); // the files that were saved: a message may come twice

const SAID = { svg: "SVG", png: "PNG", csv: "CSV", npz: ".npz", json: ".json", html: ".html" };

export default function ({ data, parentElement, setTriggerValue }) {
  const message = JSON.parse(new TextDecoder().decode(data));
  const form = JSON.stringify(message.groups);
  let view = built.get(parentElement);
  if (view?.form !== form) {
    view?.root.remove();
    view = { form, ...list(message.groups, (item, kind) => view.take(item, kind)) };
    parentElement.append(view.root);
    built.set(parentElement, view);
  }
  view.take = (item, kind) => {
    view.kind = kind;
    setText(view.said, `Making ${item.file}.${kind} …`);
    if (item.where) saveDrawn(item, kind).then(view.tell, view.fail);
    else setTriggerValue("wanted", `${item.id} ${kind}`);
  };
  view.tell = (name) => setText(view.said, `Saved ${name}.`);
  view.fail = (error) => setText(view.said, `That did not work: ${error.message}`);
  if (message.file && !known.has(message.file.turn)) {
    known.add(message.file.turn);
    saveFile(message.file).then(view.tell, view.fail);
  }
}

function list(groups, take) {
  const said = element("p", "av-take-said", { role: "status" });
  const root = element("div", "av-take", {}, ...groups.map((group) => section(group, take)), said);
  return { root, said };
}

function section({ title, items }, take) {
  const rows = items.map((item) => {
    const buttons = item.forms.map((kind) => {
      const button = element(
        "button", "", { type: "button", "aria-label": `Save ${item.name} as ${SAID[kind]}`, title: `${item.file}.${kind}` },
        SAID[kind]);
      button.addEventListener("click", () => take(item, kind));
      return button;
    });
    return element("li", "", {}, element("span", "", {}, item.name), element("span", "av-take-forms", {}, ...buttons));
  });
  return element("section", "", { "aria-label": title }, element("p", "av-take-title", {}, title), element("ul", "", {}, ...rows));
}
