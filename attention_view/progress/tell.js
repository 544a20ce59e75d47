// Hands what was answered right to the display in the sidebar, which may come up later than this.

const TOLD = "attention-by-hand told";

export default function ({ data: message }) {
  const told = (globalThis[Symbol.for(TOLD)] ??= []);
  told.push(JSON.parse(new TextDecoder().decode(message)));
  dispatchEvent(new Event(TOLD));
}
