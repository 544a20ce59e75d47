// Numbers as they are typed and as they are shown. Text enters the page by textContent and value alone.

/** The number that a text means, or null. A decimal comma and a true minus sign are understood. */
function parsed(text, largest) {
  const plain = text.trim().replace(/−/g, "-").replace(",", ".");
  if (/^[+-]?[1-9]\d{0,2}(,\d{3})+$/.test(text.trim())) return null; // 1,000: a thousand to some, one to others
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain) + 0;
  return Number.isFinite(value) && Math.abs(value) <= largest ? value : null;
}

/** A number with every digit it needs and a true minus sign. */
function written(value) {
  return String(value).replaceAll("-", "−");
}

/** An element with a class, attributes and children (strings become text). */
function element(tag, className = "", attributes = {}, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}
