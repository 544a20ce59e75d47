// Elements and their text, for every component that builds some. Text enters the page by textContent alone.

/** An element with a class, attributes and children (strings become text). */
function element(tag, className = "", attributes = {}, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Set an element's text, touching the page only if it differs. */
function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}
