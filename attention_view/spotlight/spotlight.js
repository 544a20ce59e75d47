// Lights up the element of a Streamlit key for a moment and brings it into view.
const LIT_FOR = 1600; // milliseconds

export default function ({ data, parentElement }) {
  const key = new TextDecoder().decode(data);
  parentElement.querySelector("button").onclick = () => {
    const control = document.querySelector(`.st-key-${CSS.escape(key)}`);
    if (!control) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    control.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
    control.classList.add("av-lit");
    setTimeout(() => control.classList.remove("av-lit"), LIT_FOR);
  };
}
