// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ways to compile a model of which none is beaten in RAM and in work by another: arena to the right, work upwards, and the flags that give each.
"use strict";

function waysOf(data) {
  const { points, counted } = data, width = 1000, height = 320, left = 70, right = 20, bottom = 40, top = 16;
  const most = Math.max(...points.map((point) => point.arena), 1), works = points.map((point) => point.of_default);
  const low = Math.min(...works, 1), high = Math.max(...works, low + 0.01);
  const x = (arena) => left + ((width - left - right) * arena) / most;
  const y = (work) => top + (height - top - bottom) * (1 - (work - low) / (high - low));
  const drawing = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "work of each way against its arena" });
  const label = (text, attributes) => {
    const made = shape("text", attributes);
    made.textContent = text;
    drawing.append(made);
  };
  for (let i = 0; i <= 4; ++i) {
    const arena = (most * i) / 4, work = low + ((high - low) * i) / 4;
    drawing.append(shape("line", { x1: left, x2: width - right, y1: y(work), y2: y(work) }));
    label(work.toFixed(3), { x: left - 6, y: y(work) + 4, "text-anchor": "end" });
    label(bytesText(Math.round(arena)), { x: x(arena), y: height - bottom + 16, "text-anchor": i ? "end" : "start" });
  }
  label("arena", { x: width - right, y: height - 8, "text-anchor": "end" });
  label(`${counted ? "instructions" : "work by estimate"}, of the default's`, { x: left, y: 11 });
  drawing.append(shape("polyline", { class: "roof", points: points.map((point) => `${x(point.arena)},${y(point.of_default)}`).join(" ") }));
  for (const point of points)
    drawing.append(shape("circle", { class: "way", cx: x(point.arena), cy: y(point.of_default), r: 6 }, `${point.flags || "(no flags)"}\n${bytesText(point.arena)}, ${point.of_default.toFixed(3)} of the default's work`));
  const columns = ["flags", "arena", "weights", ...(counted ? ["flash", "instructions"] : []), "of the default's work"];
  const cells = (point) => [bytesText(point.arena), bytesText(point.weights), ...(counted ? [bytesText(point.flash), countText(point.instructions)] : []), point.of_default.toFixed(3)];
  return [
    element("header", {}, element("h1", {}, fileOf(data.model)), element("p", { class: "faint" }, `${data.model} · ${data.target}`)),
    section("Ways to compile it",
      element("p", { class: "faint" }, `Less RAM for more work: of these none is beaten in both.${data.speed_is_default ? " --fit speed finds nothing that is faster." : ""}`),
      element("div", { class: "scroll" }, drawing),
      element("div", { class: "scroll" }, element("table", {},
        element("tr", {}, ...columns.map((title, i) => element("th", i ? { class: "number" } : {}, title))),
        ...points.map((point) => element("tr", {}, nameCell(point.flags || "(none)"), ...cells(point).map((text) => element("td", { class: "number" }, text))))))),
  ];
}
