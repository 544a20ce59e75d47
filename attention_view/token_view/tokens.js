// The tokens that ask, in one line: for pages whose picture is the arithmetic of one of them.

/** Build the line of tokens; the same radio buttons as on the left of the lines, with the same keys. */
function tokensPart(data, acts) {
  const queries = data.query_tokens.map((_, i) => queryToken(i, data.query_tokens.length, acts));
  return {
    root: element(
      "div", "tokens", {},
      element("div", "heading query-heading", {}, "query (asks)"),
      element("div", "queries", { role: "radiogroup", "aria-label": "query (asks)" }, ...queries.map((q) => q.row)),
    ),
    update(next) {
      queries.forEach((q, i) => nameToken(q, next.query_tokens[i], next.query_names[i]));
    },
    show(shown, { ask }) {
      queries.forEach((q, i) => {
        q.button.setAttribute("aria-checked", String(i === ask));
        q.button.tabIndex = i === ask ? 0 : -1;
        markToken(q, i === shown.row, undefined);
      });
    },
    focusQuery: (i) => queries[i].button.focus(),
  };
}
