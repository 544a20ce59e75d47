// Numbers as they are typed and as they are shown.

/** The number that a text means, or null. A decimal comma and a true minus sign are understood. */
function parsed(text, limits) {
  const plain = text.trim().replace(/−/g, "-").replace(",", ".");
  if (/^[+-]?[1-9]\d{0,2}(,\d{3})+$/.test(text.trim())) return null; // 1,000: a thousand to some, one to others
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain) + 0;
  return allowed(value, limits) ? value : null;
}

function allowed(value, { kind, above, largest }) {
  if (kind === "mask") return value === 0 || value === 1;
  return Number.isFinite(value) && Math.abs(value) <= largest && (above === null || value > above);
}

/** What must hold of a number, in words. */
function mustHold({ kind, above, largest }) {
  const limit = largest.toLocaleString("en");
  if (kind === "mask") return "1 (seen) or 0 (hidden)";
  if (above === null) return `a number from −${limit} to ${limit}`;
  return `a number more than ${written(above)}, at most ${limit},`;
}

/** A number with every digit it needs and a true minus sign. */
function written(value) {
  return String(value).replaceAll("-", "−");
}

/** A number in the room of a cell: whole, or rounded to two decimals; by powers of ten where these would not tell. */
function shortened(value) {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e6) return written(value);
  return written(size < 1e5 && size >= 0.005 ? value.toFixed(2) : value.toExponential(0));
}
