// The small maps: bytes to shades, as pictures that the browser keeps. A thousand canvases would each be a layer of
// their own and make every click slow; and a canvas that is read back is not true in every browser.

const ONE = 254; // the byte of the weight 1
const TILE = 44; // about so many px is a map wide

/** How many px a cell is wide: whole ones, so that cells look alike. */
function cellWidth(cells) {
  return Math.max(1, Math.round(TILE / cells));
}

/** What tells the colours of the theme, and when they change: an unseen element in them. */
function themeProbe(changed) {
  const probe = element("span", "theme", { "aria-hidden": "true" });
  probe.addEventListener("transitionend", changed);
  return probe;
}

/** The shade of each byte as chunks of a PNG: from the page colour at 0 to the weight colour at ONE; 255 stays clear, so
    that the hatching behind what is masked shows. */
function shades(probe) {
  const { color, backgroundColor } = getComputedStyle(probe);
  const [weight, page] = [color, backgroundColor].map((text) => text.match(/[\d.]+/g).map(Number));
  const palette = new Uint8ClampedArray(3 * 256);
  for (let byte = 0; byte <= ONE; byte += 1) {
    for (let c = 0; c < 3; c += 1) palette[3 * byte + c] = page[c] + ((weight[c] - page[c]) * byte) / ONE;
  }
  return joined(chunk("PLTE", palette), chunk("tRNS", new Uint8Array(256).fill(255, 0, ONE + 1)));
}

/** What makes a map the address of a picture. Source: Portable Network Graphics specification, third edition. */
function painter({ rows, columns }, shade) {
  const size = new Uint8Array([...bytes(columns), ...bytes(rows), 8, 3, 0, 0, 0]); // 8 bits a dot, from a palette
  const before = joined(Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10), chunk("IHDR", size), shade);
  const after = chunk("IEND", new Uint8Array());
  return (cells) => {
    const lines = new Uint8Array(rows * (columns + 1)); // each begins with the filter 0: none
    for (let row = 0; row < rows; row += 1) {
      lines.set(cells.subarray(row * columns, (row + 1) * columns), row * (columns + 1) + 1);
    }
    const png = joined(before, chunk("IDAT", stored(lines)), after);
    return `data:image/png;base64,${btoa(String.fromCharCode.apply(null, png))}`;
  };
}

/** Bytes in the form of zlib (RFC 1950), not packed: at most 65,535. */
function stored(content) {
  let [a, b] = [1, 0];
  for (let i = 0; i < content.length; i += 1) {
    a = (a + content[i]) % 65521;
    b = (b + a) % 65521;
  }
  const n = content.length;
  const head = Uint8Array.of(0x78, 1, 1, n & 255, n >> 8, ~n & 255, (~n >> 8) & 255);
  return joined(head, content, Uint8Array.of(b >> 8, b & 255, a >> 8, a & 255));
}

function chunk(kind, content) {
  const named = joined(Uint8Array.from(kind, (letter) => letter.charCodeAt(0)), content);
  return joined(bytes(content.length), named, bytes(remainder(named)));
}

/** A number as four bytes, the greatest first. */
function bytes(n) {
  return Uint8Array.of(n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255);
}

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** The check of a chunk: CRC-32. */
function remainder(content) {
  let rest = 0xffffffff;
  for (let i = 0; i < content.length; i += 1) rest = REMAINDERS[(rest ^ content[i]) & 255] ^ (rest >>> 8);
  return ~rest >>> 0;
}
