// The numbers on the page that can be opened, and their addresses.
//
// An element with data-open is such a number. Its value is the whole address, as in "weights[0,9,1]", or only the rest
// of it: an element around it says in data-of where the rest belongs, as in "weights[0,9,*]". Where numbers of several
// arrays stand together, data-of names each with a letter, "q=Q[0,9,*] k=K[0,*]", and a number begins with its letter.
// In tables with very many numbers the place of a number tells its address, see openByPlace.

const NUMBERS = "[data-open]:not([data-rac])"; // an open list of Streamlit's says data-open of itself, and data-rac
const REGIONS = ".av-scroll, .av-strip, [data-of], [data-numbers]";
const HOW = "Enter goes to the numbers, the arrow keys move among them, Enter opens one.";

/** The number that an event is about, wherever it lies. */
function numberOf(event) {
  return event.composedPath().find((target) => target instanceof Element && target.matches(NUMBERS));
}

/** The address of a number, or nothing if it has none. */
function addressOf(number) {
  const own = number.dataset.open;
  if (own.includes("[")) return own;
  const patterns = (number.closest("[data-of]")?.dataset.of ?? "").split(" ");
  if (patterns.length === 1) return patterns[0].replace("*", own);
  const pattern = patterns.find((one) => one.startsWith(`${own[0]}=`));
  return pattern?.slice(2).replace("*", own.slice(1));
}

/** The numbers inside an element or a tree. */
function numbersIn(root) {
  return [...root.querySelectorAll(NUMBERS)];
}

/** Factors of products have the place of their column and row; vectors on the shelf that of their row; strips and bars
 *  their own. */
function openByPlace() {
  for (const table of document.querySelectorAll(":is(.av-products, .av-shelf, .av-loose-query)[data-of]:not([data-placed])")) {
    table.dataset.placed = "";
    const turned = table.classList.contains("av-turned"); // there a factor of the key stands before that of the query
    table.querySelectorAll("tbody tr").forEach((row, j) => row.querySelectorAll("td").forEach((cell, d) => {
      const factors = plainNumbers(cell);
      const addresses = [`q${d}`, `k${j},${d}`];
      if (turned) addresses.reverse();
      if (factors.length === 2) addresses.forEach((own, side) => (factors[side].dataset.open = own));
    }));
    table.querySelectorAll(":scope > :is(.av-new, .av-resting)").forEach((row, j) => {
      openAll(row.querySelector(".av-q"), "q");
      openAll(row.querySelector(".av-k"), `k${j},`);
      openAll(row.querySelector(".av-v"), `v${j},`);
    });
    openAll(table.querySelector(".av-output > .av-v"), "o");
    openAll(table.querySelector(":scope > .av-cells:not(.av-names)"), "q");
  }
  for (const strip of document.querySelectorAll(".av-strip[data-of]:not([data-placed])")) {
    strip.dataset.placed = "";
    strip.querySelectorAll("u").forEach((number, d) => (number.dataset.open = d));
  }
  for (const line of document.querySelectorAll(".av-bars[data-letter]:not([data-placed])")) {
    line.dataset.placed = "";
    line.querySelectorAll("u").forEach((number, d) => {
      number.dataset.open = `${line.dataset.letter}${d}`;
      number.title = `number ${d + 1}: ${number.textContent}`;
    });
  }
}

function plainNumbers(cell) {
  return cell.querySelectorAll(":scope > :is(b, u):not([data-open])");
}

/** Address the numbers of a vector: what stands before, and their places. */
function openAll(cell, before) {
  if (cell) plainNumbers(cell).forEach((number, d) => (number.dataset.open = `${before}${d}`));
}

function regionOf(number) {
  return number.closest(REGIONS);
}

/** Make the page's numbers buttons, and what holds them one stop of the Tab key; true if there are new ones. */
function markNumbers() {
  openByPlace();
  const unmarked = document.querySelectorAll(`${NUMBERS}:not([tabindex])`);
  for (const number of unmarked) {
    number.setAttribute("role", "button");
    number.tabIndex = -1;
    const region = regionOf(number);
    if (!region || region.hasAttribute("aria-description")) continue;
    region.dataset.numbers = "";
    region.setAttribute("aria-description", HOW);
    if (!region.hasAttribute("tabindex")) region.tabIndex = 0;
  }
  return unmarked.length > 0;
}

const listening = new WeakSet(); // figures

/** Let the cells of Plotly's heat maps be clicked: layout.meta.of says whose numbers they show. */
function markFigures(open) {
  for (const figure of document.querySelectorAll(".js-plotly-plot")) {
    figure.classList.toggle("av-openable", Boolean(figure.layout?.meta?.of));
    if (!figure.on || listening.has(figure)) continue;
    listening.add(figure);
    figure.on("plotly_click", ({ points }) => {
      const of = figure.layout?.meta?.of;
      const [row, column] = points[0]?.pointIndex ?? points[0]?.pointNumber ?? [];
      if (of && column !== undefined) open(of.replace("{row}", row).replace("{column}", column), figure);
    });
  }
}
