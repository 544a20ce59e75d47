// Numbers as they are typed and as they are shown.

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
