// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the boxes of a graph go: in layers, each below all that it is made of; within a layer near those. Edges that pass layers have a place in each of them.
"use strict";

/** The layer of each box: one below the lowest that it follows. `edges`: [from, to], from before to. */
function layersOf(count, edges) {
  const layer = new Array(count).fill(0), before = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) before[to].push(from);
  for (let box = 0; box < count; ++box) for (const from of before[box]) layer[box] = Math.max(layer[box], layer[from] + 1);
  return layer;
}

/** Places of the boxes' middles, and for each edge the points that it passes. `size`: of a box, `gap`: between two. */
function placesOf(count, edges, size, gap) {
  const layer = layersOf(count, edges);
  const rows = Array.from({ length: Math.max(0, ...layer) + 1 }, () => []);
  const items = layer.map((row, box) => ({ row, width: size.width, above: [], box }));
  for (const item of items) rows[item.row].push(item);
  const routes = edges.map(([from, to]) => {
    const passed = [items[from]];
    for (let row = layer[from] + 1; row < layer[to]; ++row) {
      const bend = { row, width: gap, above: [passed.at(-1)] };
      rows[row].push(bend);
      passed.push(bend);
    }
    items[to].above.push(passed.at(-1));
    return [...passed, items[to]];
  });
  for (const row of rows) {
    const wanted = (item) => (item.above.length ? item.above.reduce((sum, other) => sum + other.x, 0) / item.above.length : 0);
    row.forEach((item, i) => Object.assign(item, { wanted: wanted(item), order: i }));
    row.sort((a, b) => a.wanted - b.wanted || a.order - b.order);
    let right = -Infinity, shift = 0;
    for (const item of row) {
      item.x = Math.max(item.wanted, right + item.width / 2);
      right = item.x + item.width / 2 + gap;
      shift += item.wanted - item.x;
    }
    for (const item of row) item.x += shift / row.length; // as far to the left as to the right of where they want to be
  }
  const least = Math.min(...rows.flat().map((item) => item.x - item.width / 2));
  for (const item of rows.flat()) Object.assign(item, { x: item.x - least, y: item.row * (size.height + 2 * gap) + size.height / 2 });
  return { boxes: items, routes, width: Math.max(...rows.flat().map((item) => item.x + item.width / 2)), height: rows.length * (size.height + 2 * gap) - 2 * gap };
}
