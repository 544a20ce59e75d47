// The form of progress: {"version": 1, "seen": [stems], "right": [ids]}, in the browser's storage and in a file.

const VERSION = 1;
const LARGEST = 100_000; // bytes of a file that is read
const LONGEST_NAME = 100; // letters
const NOTHING = { seen: [], right: [] };

/** Progress as text. */
function textOf({ seen, right }) {
  return JSON.stringify({ version: VERSION, seen, right }, null, 1);
}

/** The progress that a text holds, as {progress}, or else {fault}: what is wrong, in words that follow "it". */
function progressOf(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "is not JSON" };
  }
  const fault = faultOf(value);
  if (fault) return { fault, isOtherVersion: isPlain(value) && Number.isInteger(value.version) && value.version !== VERSION };
  return { progress: { seen: [...new Set(value.seen)], right: [...new Set(value.right)] } };
}

function faultOf(value) {
  if (!isPlain(value) || !("version" in value)) return "holds no progress";
  if (value.version !== VERSION) {
    return `has the version ${shortened(JSON.stringify(value.version))}, not ${VERSION}`;
  }
  const foreign = Object.keys(value).find((name) => !["version", "seen", "right"].includes(name));
  if (foreign !== undefined) return `has a field that progress has not: ${shortened(JSON.stringify(foreign))}`;
  for (const name of ["seen", "right"]) {
    if (!(name in value)) return `lacks the field "${name}"`;
    if (!Array.isArray(value[name]) || !value[name].every(isName)) return `has no list of names in "${name}"`;
  }
  return "";
}

function isPlain(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isName(value) {
  return typeof value === "string" && value.length > 0 && value.length <= LONGEST_NAME;
}

function shortened(text) {
  return text.length > 30 ? `${text.slice(0, 30)}…` : text;
}

/** All that either holds. */
function union(a, b) {
  return { seen: [...new Set([...a.seen, ...b.seen])], right: [...new Set([...a.right, ...b.right])] };
}

function sizeOf({ seen, right }) {
  return seen.length + right.length;
}
