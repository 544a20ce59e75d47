// The message from Python: a header in JSON, then arrays as they lie in memory. Nothing is computed here.

const KINDS = { float32: Float32Array, int32: Int32Array, uint8: Uint8Array };
const ALIGNED = 4; // bytes

/** The map as Python has sent it, with its weights by query and key. */
function readMap(message) {
  const bytes = message.byteOffset % ALIGNED ? message.slice() : message;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const map = JSON.parse(new TextDecoder().decode(bytes.subarray(ALIGNED, ALIGNED + length)));
  let at = bytes.byteOffset + ALIGNED + aligned(length);
  for (const [name, [kind, size]] of Object.entries(map.arrays)) {
    map[name] = new KINDS[kind](bytes.buffer, at, size);
    at += aligned(map[name].byteLength);
  }
  map.key_tokens ??= map.query_tokens;
  return map;
}

/** Which message it is: of which session, and its turn there; they stand first. */
function idOf(message) {
  return /"id":"([^"]*)"/.exec(new TextDecoder().decode(message.subarray(0, 80)))[1];
}

function aligned(length) {
  return Math.ceil(length / ALIGNED) * ALIGNED;
}

/** Whether a query may look at a key. */
function isVisible(map, i, j) {
  return map.causal ? j <= i : map.mask[i * map.n_keys + j] === 1;
}

/** The weight of a query on a key; null if it is masked, never a number then. */
function weightOf(map, i, j) {
  if (!isVisible(map, i, j)) return null;
  return map.weights[map.causal ? (i * (i + 1)) / 2 + j : i * map.n_keys + j];
}

/** The strongest keys of a query, the strongest first. */
function strongestKeys(map, i) {
  const listed = map.keys.length / (map.n_queries || 1);
  return [...map.keys.subarray(i * listed, (i + 1) * listed)].filter((key) => key >= 0);
}

/** The largest weight of a query that is shown: the first token's only if it is not left out. Nothing, if there is none. */
function strongestShown(map, i) {
  const [first] = strongestKeys(map, i);
  return first === undefined ? 0 : weightOf(map, i, first);
}

/** What two maps of heads share if all that is built for the one serves the other too. */
function builtFor(map) {
  const { weights, max, sum, rest, first, sums, keys, others, visible, empty, odd, mask, arrays, ...more } = map;
  const { id, ask, asked, seen, turn, session, left_out, notice, caption, ...text } = more;
  return JSON.stringify(text);
}

/** Where a block begins and ends: [first, after the last] token, of queries or of keys. */
function edgesOf(map, block, n) {
  return [block * map.tokens, Math.min((block + 1) * map.tokens, n)];
}

/** What a block shows; null if it holds nothing that may be looked at. */
function blockValue(map, by, row, column) {
  const at = row * map.n_blocks[1] + column;
  return map.visible[at] ? map[by][at] : null;
}
