// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What bench measured: a call beside other runtimes, the time by kernel and by operator, and how near each kernel is to what the machine can do.
"use strict";

/** A row for each, with a bar as long as its seconds. */
function barsOf(heads, rows) {
  const most = Math.max(...rows.map((row) => row.seconds), 1e-12);
  return element("div", { class: "scroll" }, element("table", {},
    element("tr", {}, ...heads.map((text, i) => element("th", i ? { class: "number" } : {}, text)), element("th")),
    ...rows.map((row) => element("tr", {},
      nameCell(row.name), ...row.figures.map((text) => element("td", { class: "number" }, text)),
      element("td", { style: "min-width: 8rem; width: 40%" }, element("span", { class: "bar", style: `width: ${((row.seconds / most) * 100).toFixed(1)}%; background: ${row.color ?? "var(--accent)"}` }))))));
}

function rivalsOf(data) {
  const ours = { name: "sinter", seconds: data.call.median };
  const others = data.against.programs.filter((program) => program.times).map((program) => ({ name: `${program.name} ${program.version}`, seconds: program.times.median, color: "var(--faint)" }));
  return barsOf(["a call", "median", "of ours"], [ours, ...others].map((row) => ({ ...row, figures: [secondsText(row.seconds), `${(row.seconds / ours.seconds).toFixed(2)} times`] })));
}

function sumsOf(title, sums) {
  const total = sums.reduce((sum, row) => sum + row.seconds, 0) || 1;
  return barsOf([title, "calls", "time", "share"], [...sums].sort((a, b) => b.seconds - a.seconds).map((row) => ({
    name: row.name, seconds: row.seconds, color: title === "kernel" ? colorOf(row.name) : undefined,
    figures: [row.calls, secondsText(row.seconds), `${((row.seconds / total) * 100).toFixed(1)} %`],
  })));
}

/** Work against bytes, both logarithmic: a kernel below the roof leaves so much on the table. Bandwidth is that of the memory that holds what it touches. */
function rooflineOf(data) {
  const kernels = data.kernels.filter((kernel) => kernel.seconds > 0 && kernel.macs > 0 && kernel.bytes > 0);
  if (!data.peak || !kernels.length) return "";
  const width = 1000, height = 360, left = 90, bottom = 40;
  const points = kernels.map((kernel) => ({ kernel, x: kernel.macs / kernel.bytes, y: kernel.macs / kernel.seconds }));
  const peak = data.peak.macs_per_second, memory = data.peak.memory;
  const range = (values) => [10 ** Math.floor(Math.log10(Math.min(...values))), 10 ** Math.ceil(Math.log10(Math.max(...values)))];
  const [fromX, toX] = range([...points.map((point) => point.x), ...memory.map((size) => peak / size.bytes_per_second)]);
  const [fromY, toY] = range([...points.map((point) => point.y), peak]);
  const place = (value, from, to) => Math.log(value / from) / Math.log(to / from);
  const x = (value) => left + (width - left - 10) * place(value, fromX, toX), y = (value) => (height - bottom) * (1 - place(value, fromY, toY));
  const drawing = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "work of kernels against what the machine can do" });
  const label = (text, attributes) => {
    const made = shape("text", attributes);
    made.textContent = text;
    drawing.append(made);
  };
  for (let value = fromX; value <= toX * 1.001; value *= 10) {
    drawing.append(shape("line", { x1: x(value), x2: x(value), y1: 0, y2: height - bottom }));
    label(value >= 1 ? countText(value) : String(Number(value.toPrecision(1))), { x: x(value), y: height - bottom + 14, "text-anchor": "middle" });
  }
  for (let value = fromY; value <= toY * 1.001; value *= 10) {
    drawing.append(shape("line", { x1: left, x2: width - 10, y1: y(value), y2: y(value) }));
    label(`${countText(value)}/s`, { x: left - 6, y: Math.max(y(value) + 4, 10), "text-anchor": "end" });
  }
  label("multiply-adds for each byte", { x: width - 10, y: height - 6, "text-anchor": "end" });
  for (const size of memory) {
    const knee = peak / size.bytes_per_second, low = Math.max(fromX, fromY / size.bytes_per_second);
    drawing.append(shape("polyline", { class: "roof", points: `${x(low)},${y(low * size.bytes_per_second)} ${x(knee)},${y(peak)} ${x(toX)},${y(peak)}` }, `memory of ${bytesText(size.bytes)}: ${bytesText(Math.round(size.bytes_per_second))}/s`));
  }
  for (const { kernel, x: intensity, y: speed } of points)
    drawing.append(shape("circle", { cx: x(intensity), cy: y(Math.max(speed, fromY)), r: 4, fill: colorOf(kernel.kernel) }, `${kernel.nodes.join(", ") || kernel.function}\n${kernel.kernel}, ${secondsText(kernel.seconds)}, ${countText(speed)} multiply-adds/s`));
  return element("div", { class: "scroll" }, drawing);
}

function timeOf(data) {
  const parts = [];
  if (data.against) parts.push(rivalsOf(data));
  for (const [title, sums] of [["kernel", data.by_kernel], ["operator", data.by_operator]])
    if (sums?.some((row) => row.seconds > 0)) parts.push(sumsOf(title, sums));
  const roofline = data.kernels ? rooflineOf(data) : "";
  if (roofline) parts.push(roofline);
  return parts.length ? section("Time", element("p", { class: "faint" }, `${data.processor}, ${data.threads} thread${data.threads === 1 ? "" : "s"}.${roofline ? " Lines are what arithmetic and memory can do, points kernels." : ""}`), ...parts) : "";
}
