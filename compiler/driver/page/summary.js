// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The head of the page: the model, where it runs, and the figures that are asked for first.
"use strict";

function summaryOf(data) {
  const report = data.report;
  const fact = (value, what) => element("div", { class: "fact" }, element("b", {}, value), element("span", {}, what));
  const facts = [
    fact(countText(report.macs), "multiply-adds in a call"),
    fact(bytesText(report.ram.arena), "arena"),
    fact(bytesText(report.flash.weights), "weights"),
    fact(String(report.kernels.length), "kernel calls"),
    fact(String(report.copies.length), "of them copies"),
  ];
  if (data.call) facts.unshift(fact(secondsText(data.call.median), `a call (median of ${data.call.calls})`));
  const ends = (which) =>
    report[which].map((end) => element("tr", {}, element("td", {}, which.slice(0, -1)), nameCell(end.name), element("td", { style: "min-width: 9rem" }, end.type)));
  return element(
    "header", {},
    element("h1", {}, fileOf(data.model)),
    element("p", { class: "faint" }, `${data.model} · ${data.processor ?? report.target} · ${report.compiler}` + (data.producer ? ` · made by ${data.producer}` : "")),
    element("div", { class: "facts" }, ...facts),
    element("div", { class: "scroll" }, element("table", {}, ...ends("inputs"), ...ends("outputs"))),
  );
}
