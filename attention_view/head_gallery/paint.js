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

/** The shade of each byte as parts of a PNG: from the page colour at 0 to the weight colour at ONE; 255 stays clear, so
    that the hatching behind what is masked shows. */
function shades(probe) {
  const { color, backgroundColor } = getComputedStyle(probe);
  const [weight, page] = [color, backgroundColor].map((text) => text.match(/[\d.]+/g).map(Number));
  const palette = new Uint8ClampedArray(3 * 256);
  for (let byte = 0; byte <= ONE; byte += 1) {
    for (let c = 0; c < 3; c += 1) palette[3 * byte + c] = page[c] + ((weight[c] - page[c]) * byte) / ONE;
  }
  const opaque = new Uint8Array(256).fill(255, 0, ONE + 1);
  return [...chunk("PLTE", palette), ...chunk("tRNS", opaque)];
}

/** One map as the address of a picture. Source: Portable Network Graphics specification, third edition. */
function pictureOf(cells, { rows, columns }, shade) {
  const lines = [];
  for (let row = 0; row < rows; row += 1) lines.push(0, ...cells.subarray(row * columns, (row + 1) * columns));
  const size = [columns, rows].flatMap((n) => bytes(n));
  const png = [
    137, 80, 78, 71, 13, 10, 26, 10,
    ...chunk("IHDR", [...size, 8, 3, 0, 0, 0]), // 8 bits a dot, from a palette
    ...shade,
    ...chunk("IDAT", stored(lines)),
    ...chunk("IEND", []),
  ];
  return `data:image/png;base64,${btoa(String.fromCharCode(...png))}`;
}

/** Bytes in the form of zlib, not packed: at most 65,535. */
function stored(content) {
  let [a, b] = [1, 0]; // Adler-32 (RFC 1950)
  for (const byte of content) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  const n = content.length;
  return [0x78, 1, 1, n & 255, n >> 8, ~n & 255, (~n >> 8) & 255, ...content, b >> 8, b & 255, a >> 8, a & 255];
}

function chunk(kind, content) {
  const named = [...kind].map((letter) => letter.charCodeAt(0));
  named.push(...content);
  return [...bytes(content.length), ...named, ...bytes(crc(named))];
}

/** A number as four bytes, the greatest first. */
function bytes(n) {
  return [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
}

const REMAINDERS = Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** The check of a chunk. */
function crc(content) {
  let rest = 0xffffffff;
  for (const byte of content) rest = REMAINDERS[(rest ^ byte) & 255] ^ (rest >>> 8);
  return ~rest >>> 0;
}
