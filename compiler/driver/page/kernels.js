// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model as the calls of kernels that it became, in their order, each with the nodes in it; a click says why this kernel, and what else was asked.
"use strict";

/** What the calls cost: as bench measured or counted it, else how many multiply-adds they have. */
function costOf(data) {
  const measured = new Map((data.kernels ?? []).map((kernel) => [kernel.index, kernel]));
  for (const [key, title, text] of [["seconds", "time", secondsText], ["instructions", "instructions", countText], ["cycles", "cycles", countText]])
    if ([...measured.values()].some((kernel) => kernel[key] !== undefined))
      return { key, title, text, measured, of: (call) => measured.get(call.index)?.[key] ?? 0 };
  return { key: "macs", title: "multiply-adds", text: countText, measured, of: (call) => call.macs * call.repeats };
}

function detailsOf(kernel, data, cost) {
  const of = (list) => (list ?? []).find((entry) => entry.call === kernel.index), time = cost.measured.get(kernel.index);
  const rows = [
    ["function", kernel.function],
    ["kernel", kernel.kernel],
    ["why", kernel.why],
    ["shapes", kernel.shapes],
    ["nodes", kernel.nodes.join(", ")],
    ["multiply-adds", countText(kernel.macs)],
    ["weights", bytesText(kernel.weight_bytes)],
  ];
  if (kernel.repeats > 1) rows.push(["runs in a call", kernel.repeats]);
  if (of(data.report.copies)) rows.push(["left as a copy", of(data.report.copies).reason]);
  if (of(data.report.floats_in_quantized)) rows.push(["left as floats", of(data.report.floats_in_quantized).reason]);
  if (time?.seconds !== undefined) rows.push(["time", secondsText(time.seconds)]);
  if (time?.share_of_peak !== undefined) rows.push([`share of what ${time.roof === "fma" ? "arithmetic" : "memory"} can do`, `${(time.share_of_peak * 100).toFixed(0)} %`]);
  if (data.other && costOf(data.other).key === cost.key) {
    const here = workByNodes(data).work.get(nodesText(kernel, data)).work, there = workByNodes(data.other).work.get(nodesText(kernel, data))?.work;
    rows.push(["of these nodes in the second run", there === undefined ? "in other kernels" : `${cost.text(there)}${here > 0 ? `, ${(there / here).toFixed(2)} times` : ""}`]);
  }
  for (const candidate of kernel.candidates ?? [])
    if (candidate.answer || candidate.estimate !== undefined)
      rows.push([`asked: ${candidate.kernel}`, [candidate.answer ?? "", candidate.estimate !== undefined ? `estimate ${candidate.estimate}` : ""].filter(Boolean).join("; ")]);
  return element("dl", {}, ...rows.filter((row) => row[1] !== undefined && row[1] !== "").flatMap(([what, value]) => [element("dt", {}, what), element("dd", {}, String(value))]));
}

function kernelsOf(data) {
  const calls = data.report.kernels, cost = costOf(data);
  const copies = new Map(data.report.copies.map((copy) => [copy.call, copy]));
  const total = calls.reduce((sum, call) => sum + cost.of(call), 0) || 1;
  const most = Math.max(...calls.map(cost.of), 1e-12);
  const rows = calls.map((call) => {
    const share = cost.of(call) / total;
    const bar = element("span", { class: "bar", style: `width: ${((cost.of(call) / most) * 100).toFixed(1)}%; background: ${colorOf(call.kernel)}` });
    const row = element(
      "tr", { class: "call", tabindex: "0" },
      element("td", { class: "number" }, call.index),
      nameCell(call.nodes.join(", ") || call.function),
      element("td", copies.has(call.index) ? { class: "warn" } : {}, call.kernel),
      element("td", { class: "number" }, cost.text(cost.of(call))),
      element("td", { class: "number" }, `${(share * 100).toFixed(1)} %`),
      element("td", { style: "min-width: 8rem" }, bar),
    );
    let details = null;
    const toggle = () => {
      if (details) details.remove();
      details = details ? null : element("tr", { class: "details" }, element("td", { colspan: "6" }, detailsOf(call, data, cost)));
      if (details) row.after(details);
    };
    row.addEventListener("click", toggle);
    row.addEventListener("keydown", (event) => {
      if (event.key === "Enter") toggle();
    });
    return row;
  });
  const heads = ["call", "nodes", "kernel", cost.title, "share", ""];
  const head = element("tr", {}, ...heads.map((text, i) => element("th", [0, 3, 4].includes(i) ? { class: "number" } : {}, text)));
  return section("Kernels", element("p", { class: "faint" }, "In the order of calls. A click on one says what is in it and why it is this kernel."),
    element("div", { class: "scroll" }, element("table", { id: "kernels" }, head, ...rows)));
}
