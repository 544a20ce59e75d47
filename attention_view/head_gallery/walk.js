// The list of heads is one stop of the Tab key: keys go from head to head as they stand on the page.

const STOPS = ".tile:not([hidden]), .more"; // the heads that are shown, and what shows more of them

/** Where a key leads from a tile, or nothing. */
function nextTile(key, tile) {
  const list = tile.closest(".list");
  const all = [...list.querySelectorAll(STOPS)];
  const place = all.indexOf(tile);
  const group = tile.closest(".group");
  const own = [...group.querySelectorAll(STOPS)];
  const besides = (way) => (way < 0 ? group.previousElementSibling : group.nextElementSibling);
  const moves = {
    ArrowLeft: () => all[place - 1],
    ArrowRight: () => all[place + 1],
    ArrowUp: () => tileInLine(list, tile, -1),
    ArrowDown: () => tileInLine(list, tile, 1),
    Home: () => own[0],
    End: () => own.at(-1),
    PageUp: () => (besides(-1) ?? group).querySelector(STOPS),
    PageDown: () => (besides(1) ?? group).querySelector(STOPS),
  };
  return moves[key] && (moves[key]() ?? tile);
}

/** The tile at the same place of the line before or after; the last one where that line is shorter. */
function tileInLine(list, tile, way) {
  const lines = linesOf(list);
  const line = lines.findIndex((one) => one.includes(tile));
  return lines[line + way]?.[Math.min(lines[line].indexOf(tile), lines[line + way].length - 1)];
}

/** The tiles by the lines that they stand in. */
function linesOf(list) {
  const lines = [];
  for (const tiles of list.querySelectorAll(".tiles")) {
    let top = null;
    for (const tile of tiles.querySelectorAll(STOPS)) {
      if (tile.offsetTop !== top) lines.push([]);
      top = tile.offsetTop;
      lines.at(-1).push(tile);
    }
  }
  return lines;
}
