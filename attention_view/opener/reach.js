// Numbers by keyboard: into a region with Enter or the arrow down, among its numbers with the arrow keys, out with Escape.

const DIRECTIONS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const ASIDE = 4; // a step to the side counts as much as so many ahead

/** Answer a key that moves; true if it did. */
function moveByKey(event) {
  const at = event.composedPath()[0];
  if (!(at instanceof Element)) return false;
  if (at.dataset.open === undefined) return enterRegion(at, event.key);
  const region = regionOf(at);
  if (!region) return false;
  if (event.key === "Escape") {
    region.focus();
    return true;
  }
  const numbers = numbersIn(region).filter((one) => one.getClientRects().length);
  const next = { Home: numbers[0], End: numbers.at(-1) }[event.key] ?? nearest(at, numbers, DIRECTIONS[event.key]);
  next?.focus();
  return Boolean(next) || event.key in DIRECTIONS;
}

function enterRegion(region, key) {
  if ((key !== "Enter" && key !== "ArrowDown") || !region.matches(REGIONS)) return false;
  const first = numbersIn(region).find((one) => one.getClientRects().length);
  first?.focus();
  return Boolean(first);
}

/** The number that lies next in a direction: near, and rather straight ahead than aside. */
function nearest(from, numbers, direction) {
  if (!direction) return null;
  const [dx, dy] = direction;
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const one of numbers) {
    const [a, b] = middle(one);
    const ahead = (a - x) * dx + (b - y) * dy;
    const aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
    if (one === from || ahead < 4 || ahead + ASIDE * aside >= least) continue;
    least = ahead + ASIDE * aside;
    best = one;
  }
  return best;
}

function middle(one) {
  const box = one.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}
