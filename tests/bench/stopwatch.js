// A stopwatch inside the page: from a real input event to the frame that shows its answer.
//
// In every frame an observed element changes its size, so its ResizeObserver answers after all drawing and layout of
// that frame and before it is painted: exactly what this frame shows can be read there. A message posted at that
// moment arrives when the frame has been handed over; that is the time taken as "painted".
(() => {
  const probe = document.createElement("div");
  probe.style.cssText = "position:fixed;top:0;left:0;width:1px;height:0;contain:strict;visibility:hidden";
  const channel = new MessageChannel();
  let atFrame = null; // reads the frame; what it returns is called once the frame is painted
  let afterPaint = null;

  new ResizeObserver(() => {
    afterPaint = atFrame && atFrame();
    channel.port2.postMessage(0);
  }).observe(probe);
  channel.port1.onmessage = () => {
    if (afterPaint) afterPaint(performance.now());
    if (atFrame) requestAnimationFrame(tick);
  };

  function tick() {
    if (!probe.isConnected) document.documentElement.append(probe);
    probe.style.width = probe.style.width === "1px" ? "2px" : "1px";
  }

  function watchFrames(read) {
    const idle = atFrame === null;
    atFrame = read;
    if (idle) requestAnimationFrame(tick);
  }

  /** All elements of a selector, also those inside the shadow roots of components. */
  function all(selector) {
    const found = [...document.querySelectorAll(selector)];
    for (const host of document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')) {
      if (host.shadowRoot) found.push(...host.shadowRoot.querySelectorAll(selector));
    }
    return found;
  }

  const VISIBLE = { opacityProperty: true, visibilityProperty: true };
  const isShown = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility(VISIBLE);
  };
  const isFilled = (element) => element.matches(".js-plotly-plot")
    ? element.querySelectorAll(".main-svg *").length > 5
    : element.textContent.trim() !== "" || element.querySelector("svg *") !== null;

  const PARTS = { view: ".token-view", followers: "[data-follows-ask]", plots: ".js-plotly-plot", map: ".map-view" };
  /** Whether a picture counts: all do, unless `stopwatch.scope` names the part of the page whose pictures do. */
  const counted = (element) => !stopwatch.scope || (element.getRootNode().host ?? element).closest(stopwatch.scope);
  const filled = (part) => all(PARTS[part])
    .filter((element) => isShown(element) && isFilled(element) && (part !== "view" || counted(element)));
  const counts = () => Object.fromEntries(Object.keys(PARTS).map((part) => [part, filled(part).length]));

  /** What a part shows, as one string: its text, line widths, drawn paths and images. */
  const drawn = (element) => [
    element.innerText ?? element.textContent,
    ...[...element.querySelectorAll("path")].map((path) => path.style.strokeWidth + (path.getAttribute("d") ?? "")),
    ...[...element.querySelectorAll("svg text")].map((text) => text.textContent),
    ...[...element.querySelectorAll("image")].map((image) => image.getAttribute("href") ?? ""),
  ].join("|");
  /** The same of a token view, cheap enough to be read in every frame: its sentence and its strong lines. */
  const drawnView = (view) => [
    view.querySelector(".sentence .shown")?.textContent,
    ...[...view.querySelectorAll(".strong path")].map((path) => path.style.strokeWidth + path.getAttribute("d")),
    ...[...view.querySelectorAll("[role=gridcell]")].map((cell) => cell.textContent),
    ...[...view.querySelectorAll(".token.shown")].map((token) => token.textContent),
  ].join("|");
  const SIGNATURES = {
    view: () => all(PARTS.view).filter(counted).map(drawnView).join("||"),
    followers: () => filled("followers").map((follower) => follower.textContent).join("||"),
    map: () => all(PARTS.map).map((map) => map.textContent).join("||"),
    plots: () => filled("plots").map(drawn).join("||"),
    page: () => [
      document.querySelector('[data-testid="stMain"]')?.textContent, SIGNATURES.view(), JSON.stringify(counts()),
      SIGNATURES.plots(),
    ].join("||"),
  };

  const everyAsk = (part, attribute, ask) => {
    const shown = filled(part);
    return shown.length > 0 && shown.every((element) => element.dataset[attribute] === ask);
  };
  const CONDITIONS = {
    picked: (ask) => everyAsk("view", "paintedAsk", ask),
    mapped: (ask) => everyAsk("map", "paintedAsk", ask),
    map: (signature) => SIGNATURES.map() === signature,
    followed: (ask) => everyAsk("view", "paintedAsk", ask) && everyAsk("followers", "followsAsk", ask),
    view: (signature) => SIGNATURES.view() === signature,
    followers: (signature) => SIGNATURES.followers() === signature,
    plots: (signature) => SIGNATURES.plots() === signature,
    page: (signature) => SIGNATURES.page() === signature,
  };

  window.stopwatch = {
    scope: "",
    signature: (part) => SIGNATURES[part](),

    /**
     * Wait for the next real `event`, then for `condition` to hold of `value`. Resolves to the milliseconds between
     * the event and the painted frame, the frames seen until `tail` ms later, and how many of them were blank: fewer
     * filled pictures, followers or figures than before the event.
     */
    arm(event, condition, value, tail) {
      if (CONDITIONS[condition](value)) throw new Error(`${condition} holds before the ${event}`);
      const before = counts();
      let [start, painted, frames, blank] = [null, null, 0, 0];
      addEventListener(event, (seen) => { start = seen.timeStamp; }, { capture: true, once: true });
      const picture = { picked: PARTS.view, mapped: PARTS.map }[condition];
      if (picture) {
        // The picture marks itself just after the paint: that is the moment, a frame before the next reading.
        const marked = new MutationObserver(() => {
          if (start === null || painted !== null || !CONDITIONS[condition](value)) return;
          painted = performance.now();
          marked.disconnect();
        });
        for (const view of all(picture)) marked.observe(view, { attributeFilter: ["data-painted-ask"] });
      }
      this.result = new Promise((resolve) => watchFrames(() => {
        if (start === null) return null;
        const now = counts();
        frames += 1;
        if (Object.keys(PARTS).some((part) => now[part] < before[part])) blank += 1;
        const holds = painted === null && CONDITIONS[condition](value);
        return (time) => {
          if (holds) painted = time;
          if (painted === null || time < painted + tail) return;
          atFrame = null;
          resolve({ ms: painted - start, frames, blank });
        };
      }));
    },
  };

  // The first picture of a visit, in milliseconds since the epoch and since the visit began.
  window.stopwatch.first = new Promise((resolve) => watchFrames(() => {
    const usable = document.body !== null && filled("view").some((view) => view.dataset.paintedAsk !== undefined);
    return (time) => {
      if (!usable) return;
      atFrame = null;
      resolve({ epoch: performance.timeOrigin + time, ms: time });
    };
  }));
})();
