// The colours of weights as numbers, for canvases: from the page's colour at 0 to the weight's at 1, in the theme of now.

const STEPS = 255;

/** A colour of the palette as [red, green, blue]. */
function channels(place, name) {
  place.style.color = `var(${name})`;
  return getComputedStyle(place).color.match(/[\d.]+/g).slice(0, 3).map(Number);
}

/** The shades as pixels (little-endian RGBA), and the colours around them. */
function shadesOf(probe) {
  const [page, weight] = [channels(probe, "--av-page"), channels(probe, "--av-weight")];
  const pixels = new Uint32Array(STEPS + 1);
  for (let step = 0; step <= STEPS; step += 1) {
    const [r, g, b] = page.map((low, n) => Math.round(low + ((weight[n] - low) * step) / STEPS));
    pixels[step] = ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  }
  return { pixels, quiet: `rgb(${channels(probe, "--av-quiet")})`, isDark: page[0] < 128 };
}

/** The step of a weight on a scale from 0 to `most`, whatever the others are; `faint` ones more strongly if wanted. */
function stepOf(value, most, faint) {
  const share = Math.min(value / most, 1);
  return Math.round(STEPS * (faint ? Math.sqrt(share) : share));
}

/** Call `act` when the theme changes, by whatever: an unseen element's colour then glides, for a thousandth of a second. */
function onTheme(watched, act) {
  watched.addEventListener("transitionend", act);
}
