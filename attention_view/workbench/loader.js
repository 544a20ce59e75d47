// A button that reads a file in the browser and hands its text to Python.

const LARGEST = 1_000_000; // bytes; nothing larger is read

export default function ({ parentElement, setTriggerValue }) {
  const input = parentElement.querySelector("input");
  parentElement.querySelector("button").onclick = () => input.click();
  input.onchange = async () => {
    const file = input.files[0];
    input.value = ""; // so that the same file can be chosen again
    if (file) setTriggerValue("file", await textOf(file));
  };
}

async function textOf(file) {
  const { name, size } = file;
  if (size > LARGEST) return { name, fault: "large" };
  try {
    return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()) };
  } catch {
    return { name, fault: "unreadable" };
  }
}
