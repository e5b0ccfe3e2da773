// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two runs side by side: their figures, and the kernels that differ most. Kernels are the same where the same nodes are in them.
"use strict";

const operatorsOfRuns = new WeakMap();

/** The nodes of a call as both runs know them: without those that quantization puts around. */
function nodesText(call, data) {
  if (!operatorsOfRuns.has(data)) operatorsOfRuns.set(data, new Map((data.graph?.nodes ?? []).map((node) => [node.name, node.operator])));
  const operators = operatorsOfRuns.get(data), isAround = (node) => ["QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear"].includes(operators.get(node));
  const own = call.nodes.filter((node) => !isAround(node));
  return (own.length ? own : call.nodes).join(", ") || call.function;
}

/** By the nodes in them: what the calls cost in all. */
function workByNodes(data) {
  const cost = costOf(data), work = new Map();
  for (const call of data.report.kernels) {
    const nodes = nodesText(call, data);
    const before = work.get(nodes) ?? { work: 0, kernels: new Set() };
    before.work += cost.of(call);
    before.kernels.add(call.kernel);
    work.set(nodes, before);
  }
  return { work, cost };
}

function comparisonOf(data) {
  const other = data.other;
  if (!other) return "";
  const figures = [
    ["model", (run) => fileOf(run.model)],
    ["target", (run) => run.report.target],
    ["machine", (run) => run.processor ?? ""],
    ["a call", (run) => run.call?.median, secondsText],
    ["multiply-adds", (run) => run.report.macs, countText],
    ["arena", (run) => run.report.ram.arena, bytesText],
    ["weights", (run) => run.report.flash.weights, bytesText],
    ["kernel calls", (run) => run.report.kernels.length, String],
    ["copies", (run) => run.report.copies.length, String],
  ];
  const head = figures.map(([what, value, text]) => {
    const [first, second] = [value(data), value(other)];
    if (first === undefined || second === undefined || (!text && !first && !second)) return "";
    const times = text && first > 0 ? `${(second / first).toFixed(2)} times` : "";
    return element("tr", {}, element("td", {}, what), ...[first, second].map((figure) => element("td", { class: "number" }, text ? text(figure) : figure)), element("td", { class: "number" }, times));
  });
  const [a, b] = [workByNodes(data), workByNodes(other)];
  const parts = [element("div", { class: "scroll" }, element("table", { id: "comparison" }, ...head.filter(Boolean)))];
  if (a.cost.key === b.cost.key) {
    const text = a.cost.text, none = { work: 0, kernels: new Set(["–"]) };
    const names = [...new Set([...a.work.keys(), ...b.work.keys()])];
    const rows = names.map((name) => ({ name, first: a.work.get(name) ?? none, second: b.work.get(name) ?? none }))
      .filter(({ first, second }) => first.work !== second.work)
      .sort((x, y) => Math.abs(y.second.work - y.first.work) - Math.abs(x.second.work - x.first.work)).slice(0, 100);
    if (rows.length)
      parts.push(element("div", { class: "scroll" }, element("table", {},
        element("tr", {}, ...["nodes", "kernels", "first", "second", "times"].map((title, i) => element("th", i > 1 ? { class: "number" } : {}, title))),
        ...rows.map(({ name, first, second }) => element("tr", {}, nameCell(name),
          element("td", {}, [...new Set([[...first.kernels].join(", "), [...second.kernels].join(", ")])].join(" → ")),
          ...[first, second].map((side) => element("td", { class: "number" }, text(side.work))),
          element("td", { class: "number" }, first.work > 0 && second.work > 0 ? (second.work / first.work).toFixed(2) : ""))))));
  }
  return section("Compared", element("p", { class: "faint" }, "The second run beside the first, which the rest of the page is about; the kernels that differ most come first."), ...parts);
}
