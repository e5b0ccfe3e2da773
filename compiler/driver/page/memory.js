// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arena: offsets upwards, calls to the right, a rectangle for each buffer from the first call that needs it to the last, and the line of what is in use.
"use strict";

function memoryOf(data) {
  const { ram, kernels } = data.report, buffers = ram.buffers ?? [];
  if (!buffers.length || !ram.arena) return section("Memory", element("p", { class: "faint" }, "The model needs no arena."));
  const width = 1000, height = 360, left = 70, bottom = 24, calls = kernels.length;
  const x = (call) => left + ((width - left) * call) / calls;
  const y = (offset) => (height - bottom) * (1 - offset / ram.arena);
  const drawing = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "buffers of the arena over the calls" });
  for (let i = 0; i <= 4; ++i) {
    const offset = (ram.arena * i) / 4;
    drawing.append(shape("line", { x1: left, x2: width, y1: y(offset), y2: y(offset) }));
    const label = shape("text", { x: left - 6, y: Math.max(y(offset) + 4, 10), "text-anchor": "end" });
    label.textContent = bytesText(Math.round(offset));
    drawing.append(label);
  }
  for (const buffer of buffers) {
    const maker = kernels[buffer.first_call]?.kernel ?? "";
    const title = `${buffer.nodes.join(", ")}\n${buffer.type}, ${bytesText(buffer.bytes)} at ${buffer.offset}\ncalls ${buffer.first_call} to ${buffer.last_call}`;
    drawing.append(
      shape("rect", {
        class: "buffer", x: x(buffer.first_call), width: Math.max(x(buffer.last_call + 1) - x(buffer.first_call), 0.5),
        y: y(buffer.offset + buffer.bytes), height: Math.max(y(buffer.offset) - y(buffer.offset + buffer.bytes), 0.5), fill: colorOf(maker),
      }, title),
    );
  }
  for (const region of ram.regions ?? []) {
    const limit = region.limit === undefined ? "" : ` of ${bytesText(region.limit)}`;
    drawing.append(shape("line", { class: "end", x1: left, x2: width, y1: y(region.begin + region.bytes), y2: y(region.begin + region.bytes) }));
    const label = shape("text", { x: width - 4, y: y(region.begin + region.bytes) + 12, "text-anchor": "end" });
    label.textContent = `${region.name}: ${bytesText(region.bytes)}${limit}`;
    drawing.append(label);
  }
  const used = kernels.flatMap((kernel, call) => [`${x(call)},${y(kernel.arena_live_bytes)}`, `${x(call + 1)},${y(kernel.arena_live_bytes)}`]);
  drawing.append(shape("polyline", { points: used.join(" ") }));
  const axis = shape("text", { x: width, y: height - 6, "text-anchor": "end" });
  axis.textContent = `calls 0 to ${calls - 1}`;
  drawing.append(axis);
  const peak = ram.peak;
  const said = peak ? `At most ${bytesText(peak.bytes)} are in use, in call ${peak.call} (${kernels[peak.call].nodes.join(", ") || kernels[peak.call].function}).` : "";
  const largest = peak ? element("div", { class: "scroll" }, element("table", {},
    element("tr", {}, ...["held there", "type", "bytes"].map((text) => element("th", text === "bytes" ? { class: "number" } : {}, text))),
    ...peak.tensors.map((tensor) => element("tr", {}, nameCell(tensor.nodes.join(", ") || "(of the compiler's own)"), element("td", {}, tensor.type), element("td", { class: "number" }, bytesText(tensor.bytes)))))) : "";
  return section("Memory", element("p", { class: "faint" }, `${said} A rectangle is a buffer, the line what is in use.`), element("div", { class: "scroll" }, drawing), largest);
}
