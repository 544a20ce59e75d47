// A Plotly figure: its layers as they stand on the page.

function plotSheet(alt, caption) {
  const chart = [...document.querySelectorAll('[data-testid="stPlotlyChart"]')]
    .find((one) => one.getAttribute("aria-label") === alt.trim());
  const layers = [...(chart?.querySelectorAll("svg.main-svg") ?? [])];
  if (!layers.length) throw new Error("this figure is not on the page any more.");
  const parts = layers.flatMap((layer) => [...layer.children])
    .filter((part) => !part.matches(".hoverlayer, .zoomlayer"))
    .map((part) => part.cloneNode(true));
  return sheetOf(chart, parts, layers[0].getBoundingClientRect(), alt, caption);
}
