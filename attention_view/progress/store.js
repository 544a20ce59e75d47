// Where progress is kept: the browser's localStorage, or for this visit alone where the browser does not allow it.

const KEY = "attention-by-hand progress";
const ASIDE = `${KEY} set aside`; // what was found damaged

const BLOCKED = "Your browser does not let this page keep your progress: it counts for this visit only.";
const OTHER_VERSION =
  "This browser keeps progress of another version of this app. It is left as it is; this visit is counted but not kept.";

/** What the browser keeps, as {kept}, or {trouble} if it keeps nothing that may be written over. */
function readKept() {
  let text;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    return { trouble: BLOCKED };
  }
  if (text === null) return { kept: NOTHING };
  const { progress, fault, isOtherVersion } = progressOf(text);
  if (progress) return { kept: progress };
  return isOtherVersion ? { trouble: OTHER_VERSION } : setAside(text, fault);
}

function setAside(text, fault) {
  try {
    localStorage.setItem(ASIDE, text);
    localStorage.removeItem(KEY);
  } catch {
    return { trouble: BLOCKED };
  }
  return { kept: NOTHING, notice: `The progress in this browser was damaged (it ${fault}). It is set aside.` };
}

/** Keep progress; returns the trouble with it, if any. Nothing at all leaves no trace. */
function writeKept(progress) {
  try {
    if (sizeOf(progress)) localStorage.setItem(KEY, textOf(progress));
    else [KEY, ASIDE].forEach((key) => localStorage.removeItem(key));
    return "";
  } catch {
    return BLOCKED;
  }
}

/** The progress of this window. Every change reads first, so that no window wipes out what another has written. */
function progressStore() {
  let progress = NOTHING;
  let trouble = "";
  let notice = "";
  let page = null;
  const heard = new Map(); // by session: the last turn told

  const read = () => {
    const found = readKept();
    if (found.kept) progress = trouble ? union(progress, found.kept) : found.kept; // what could not be kept is here
    else trouble = found.trouble;
    notice = found.notice ?? notice;
    return Boolean(found.kept);
  };
  const add = (more) => {
    const mayWrite = read();
    const before = sizeOf(progress);
    progress = union(progress, more);
    if (mayWrite && (trouble || sizeOf(progress) !== before)) trouble = writeKept(progress);
  };

  return {
    read,
    now: () => progress,
    words: () => trouble || notice,
    add,
    clear() {
      const mayWrite = read();
      progress = NOTHING;
      notice = "";
      if (mayWrite) trouble = writeKept(progress);
    },
    /** Count a page when it is opened; the same page drawn again is no new visit. */
    open(stem) {
      if (stem !== page) add({ seen: [stem], right: [] });
      page = stem;
    },
    /** Take in what is right on the page now: {id: the turn it was noted in}. What was noted since the last message
     *  is new, also where Streamlit has left out a message in between. */
    hear({ session, turn, right }) {
      const last = heard.get(session) ?? -1;
      if (turn <= last) return;
      heard.set(session, turn);
      const fresh = Object.keys(right).filter((id) => right[id] > last);
      if (fresh.length) add({ seen: [], right: fresh });
    },
  };
}
