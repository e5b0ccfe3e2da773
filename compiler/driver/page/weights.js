// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the bytes of the weights come from: by type, and by node with the largest first; and how the elements of the model's own are spread.
"use strict";

function weightsOf(data) {
  const { flash } = data.report;
  if (!flash.weights) return section("Weights", element("p", { class: "faint" }, "The model has none."));
  const byNode = [...flash.by_node].sort((a, b) => b.bytes - a.bytes), most = byNode[0]?.bytes ?? 1;
  const types = Object.entries(flash.weights_by_type).map(([type, bytes]) => `${type} ${bytesText(bytes)}`).join(", ");
  const rows = byNode.map((node) => element("tr", {},
    nameCell(node.nodes.join(", ")), element("td", { class: "number" }, bytesText(node.bytes)),
    element("td", { class: "number" }, `${((node.bytes / flash.weights) * 100).toFixed(1)} %`),
    element("td", { style: "min-width: 8rem" }, element("span", { class: "bar", style: `width: ${((node.bytes / most) * 100).toFixed(1)}%` }))));
  const kinds = new Map(data.report.kernels.flatMap((call) => call.nodes.map((node) => [node, call.kernel])));
  const areas = treemapOf(byNode.map((node) => ({ name: node.nodes.join(", "), bytes: node.bytes, color: colorOf(kinds.get(node.nodes[0]) ?? "") })), "bytes of weights by node");
  return section("Weights", element("p", { class: "faint" }, `${bytesText(flash.weights)}: ${types}`), element("div", { class: "scroll" }, areas), element("div", { class: "scroll" }, element("table", {}, ...rows)), spreadOf(data));
}

/** The tensors of the model, as they are in its file. */
function spreadOf(data) {
  const weights = (data.graph?.weights ?? []).filter((weight) => weight.histogram?.counts.length);
  if (!weights.length) return "";
  return element("details", {}, element("summary", {}, `How ${weights.length} tensors of the model are spread`), element("p", { class: "faint" }, "Heights of bars are logarithmic."),
    element("div", { class: "scroll" }, element("table", {}, ...weights.map((weight) => element("tr", {},
      nameCell(weight.name), element("td", {}, weight.type), element("td", { class: "number" }, bytesText(weight.bytes)),
      element("td", {}, `${numberText(weight.histogram.low)} … ${numberText(weight.histogram.high)}`), element("td", {}, histogramOf(weight.histogram)))))));
}
