// When what was drawn is seen.

/** Call `act` when the browser has painted what was just drawn. */
function afterPaint(act) {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = act;
    port2.postMessage(null);
  });
}
