// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A treemap: areas as large as their shares, as near to squares as the order by size allows.
"use strict";

/** The longest side ratio of a strip of these sizes along a side of that length. */
function worstOf(sizes, side) {
  const sum = sizes.reduce((total, size) => total + size, 0), thickness = sum / side;
  return Math.max(...sizes.map((size) => Math.max(thickness / (size / thickness), size / thickness / thickness)));
}

/** Rectangles for sizes, the largest first, that fill one of width by height. */
function rectanglesOf(sizes, width, height) {
  const scale = (width * height) / sizes.reduce((total, size) => total + size, 0), areas = sizes.map((size) => size * scale), placed = [];
  let x = 0, y = 0, next = 0;
  while (next < areas.length) {
    const side = Math.min(width - x, height - y);
    let end = next + 1;
    while (end < areas.length && worstOf(areas.slice(next, end + 1), side) <= worstOf(areas.slice(next, end), side)) ++end;
    const strip = areas.slice(next, end), thickness = strip.reduce((total, area) => total + area, 0) / side, isColumn = width - x > height - y;
    let along = isColumn ? y : x;
    for (const area of strip) {
      const length = area / thickness;
      placed.push(isColumn ? { x, y: along, width: thickness, height: length } : { x: along, y, width: length, height: thickness });
      along += length;
    }
    if (isColumn) x += thickness;
    else y += thickness;
    next = end;
  }
  return placed;
}

/** `parts`: name, bytes, color; those of nothing have no area. */
function treemapOf(parts, what) {
  const width = 1000, height = 260, most = 400, seen = parts.filter((part) => part.bytes > 0).sort((a, b) => b.bytes - a.bytes).slice(0, most);
  const drawing = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": what }), total = parts.reduce((sum, part) => sum + part.bytes, 0);
  if (!seen.length) return drawing;
  rectanglesOf(seen.map((part) => part.bytes), width, height).forEach((area, i) => {
    const { name, bytes, color } = seen[i];
    drawing.append(shape("rect", { class: "area", ...area, fill: color }, `${name}\n${bytesText(bytes)}, ${((bytes / total) * 100).toFixed(1)} %`));
    if (area.width < 40 || area.height < 16) return;
    const label = shape("text", { class: "over", x: area.x + 4, y: area.y + 13 });
    label.textContent = fitted(name, area.width - 8, 11);
    drawing.append(label);
  });
  return drawing;
}
