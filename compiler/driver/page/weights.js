// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the bytes of the weights come from: by type, and by node with the largest first.
"use strict";

function weightsOf(data) {
  const { flash } = data.report;
  if (!flash.weights) return section("Weights", element("p", { class: "faint" }, "The model has none."));
  const byNode = [...flash.by_node].sort((a, b) => b.bytes - a.bytes), most = byNode[0]?.bytes ?? 1;
  const types = Object.entries(flash.weights_by_type).map(([type, bytes]) => `${type} ${bytesText(bytes)}`).join(", ");
  const rows = byNode.map((node) => element("tr", {},
    element("td", { class: "nodes" }, node.nodes.join(", ")), element("td", { class: "number" }, bytesText(node.bytes)),
    element("td", { class: "number" }, `${((node.bytes / flash.weights) * 100).toFixed(1)} %`),
    element("td", { style: "min-width: 8rem" }, element("span", { class: "bar", style: `width: ${((node.bytes / most) * 100).toFixed(1)}%` }))));
  return section("Weights", element("p", { class: "faint" }, `${bytesText(flash.weights)}: ${types}`), element("div", { class: "scroll" }, element("table", {}, ...rows)));
}
