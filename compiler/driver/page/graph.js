// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model's graph, folded into the kernels that it became: a box for each call with its operators and the shape that it makes, edges between them as
// the model has them. A click says what the table of kernels says.
"use strict";


/** Boxes (the model's inputs, calls, outputs, in this order) and edges between them, with the values that they carry. */
function foldedGraph(data) {
  const calls = data.report.kernels.filter((call) => call.index < (data.report.exact_copies?.[0]?.first_call ?? data.report.programs?.[0]?.first_call ?? Infinity));
  const ends = (which) => data.report[which].map((end) => ({ end, which }));
  const boxes = [...ends("inputs"), ...calls.map((call) => ({ call })), ...ends("outputs")];
  const first = data.report.inputs.length, at = new Map(boxes.map((box, i) => [box.call ? `call ${box.call.index}` : `${box.which} ${box.end.name}`, i]));
  const callsOf = new Map(); // by node
  for (const call of calls) for (const node of call.nodes) callsOf.set(node, [...(callsOf.get(node) ?? []), first + calls.indexOf(call)]);
  const makers = new Map(); // by value: the node
  for (const node of data.graph.nodes) for (const value of node.makes) makers.set(value, node);
  /** The boxes that a value comes from, for a reader: through nodes that became no kernel, or (unless `isOfMaker`) one that runs later only. */
  const sources = (value, reader, isOfMaker, seen = new Set()) => {
    if (seen.has(value)) return [];
    seen.add(value);
    const maker = makers.get(value);
    if (!maker) return at.has(`inputs ${value}`) ? [at.get(`inputs ${value}`)] : [];
    const made = callsOf.get(maker.name), before = made?.findLast((box) => box < reader);
    const of = (values) => values.flatMap((read) => sources(read, reader, isOfMaker, seen));
    if (before !== undefined) { // a body's calls come behind the one that begins it
      const inside = of(maker.results ?? []).filter((box) => box > before);
      return inside.length ? inside : [before];
    }
    return made && isOfMaker ? [] : of([...maker.reads, ...(maker.results ?? [])]);
  };
  const edges = new Map();
  const add = (from, to, value) => {
    if (from === undefined || from >= to) return;
    const key = `${from} ${to}`;
    if (!edges.has(key)) edges.set(key, { from, to, values: [] });
    if (value && !edges.get(key).values.includes(value)) edges.get(key).values.push(value);
  };
  for (const node of data.graph.nodes) {
    const own = callsOf.get(node.name) ?? [];
    own.slice(1).forEach((box, i) => add(own[i], box, "")); // one node in several kernels
    if (!own.length) continue;
    for (const value of [...node.reads, ...(node.results ?? [])]) { // the last call of a loop reads what calls of its body make
      const to = own.find((box) => sources(value, box, true).length) ?? own[0];
      for (const from of sources(value, to, false)) add(from, to, value);
    }
  }
  data.report.outputs.forEach((end, i) => {
    const box = boxes.length - data.report.outputs.length + i;
    for (const from of sources(end.name, box, false)) add(from, box, end.name);
  });
  return { boxes, edges: [...edges.values()] };
}

/** What a box says: operators, the last part of a name, the shape of what it makes. */
function linesOf(box, data, operators) {
  if (box.end) return [box.which.slice(0, -1), box.end.name, box.end.type];
  const { call } = box, kinds = call.nodes.map((node) => operators.get(node)?.operator).filter(Boolean);
  const last = call.nodes.map((node) => operators.get(node)).filter(Boolean).at(-1);
  const shapes = (last?.makes ?? []).map((value) => data.graph.values[value]).filter(Boolean);
  return [[...new Set(kinds)].join(" + ") || call.kernel, call.nodes.at(-1)?.split("/").filter(Boolean).at(-1) ?? call.function, shapes[0] ?? call.shapes.split("-> ").at(-1)];
}

function graphOf(data) {
  if (!data.graph?.nodes?.length) return "";
  const { boxes, edges } = foldedGraph(data), cost = costOf(data), size = { width: 190, height: 58 }, gap = 14;
  const copies = new Map(data.report.copies.map((copy) => [copy.call, copy]));
  const isCompared = data.other && costOf(data.other).key === cost.key, others = isCompared ? workByNodes(data.other).work : new Map(), drawnOf = new Set();
  const most = Math.max(...data.report.kernels.map(cost.of), ...[...others.values()].map(({ work }) => work), 1e-12), operators = new Map(data.graph.nodes.map((node) => [node.name, node]));
  const { boxes: places, routes, width, height } = placesOf(boxes.length, edges.map(({ from, to }) => [from, to]), size, gap);
  const drawing = shape("svg", { viewBox: `-2 -2 ${width + 4} ${height + 4}`, width: width + 4, height: height + 4, role: "img", "aria-label": "the model's graph, folded into kernels" });
  routes.forEach((route, i) => {
    const points = route.map((item) => [item.x, item.y]);
    const path = points.slice(1).map(([x, y], j) => {
      const [fromX, fromY] = points[j], start = fromY + (j ? 0 : size.height / 2), end = y - (j + 2 === points.length ? size.height / 2 : 0), middle = (start + end) / 2;
      return `${j ? "" : `M${fromX.toFixed(1)},${start}`}C${fromX.toFixed(1)},${middle} ${x.toFixed(1)},${middle} ${x.toFixed(1)},${end}`;
    });
    drawing.append(shape("path", { class: "edge", d: path.join("") }, edges[i].values.map((value) => `${value} ${data.graph.values[value] ?? ""}`).join("\n")));
  });
  const chosen = element("div", { id: "chosen" }, element("p", { class: "faint" }, "A click on a box says what is in it and why it is this kernel."));
  boxes.forEach((box, i) => {
    const { x, y } = places[i], left = x - size.width / 2, top = y - size.height / 2;
    const drawn = shape("g", box.call ? { class: copies.has(box.call.index) ? "box copy" : "box", tabindex: "0" } : { class: "end box" }, box.call ? box.call.nodes.join("\n") || box.call.function : box.end.name);
    drawn.append(shape("rect", { x: left, y: top, width: size.width, height: size.height, rx: box.call ? 5 : size.height / 2 }));
    if (box.call) drawn.append(shape("rect", { class: "cost", x: left, y: top + size.height - 5, width: Math.max((size.width * cost.of(box.call)) / most, 1), height: 5, fill: colorOf(box.call.kernel) }));
    const there = box.call && !drawnOf.has(nodesText(box.call, data)) ? others.get(nodesText(box.call, data)) : undefined;
    if (there) { // once, where several calls have the same nodes
      drawnOf.add(nodesText(box.call, data));
      drawn.append(shape("rect", { class: "cost other", x: left, y: top + size.height, width: Math.max((size.width * there.work) / most, 1), height: 5 }));
    }
    linesOf(box, data, operators).forEach((text, line) => {
      const said = shape("text", { class: line ? "" : "name", x, y: top + 16 + line * 15, "text-anchor": "middle" });
      said.textContent = fitted(String(text), size.width - 10, line ? 11 : 12, line ? 400 : 600);
      drawn.append(said);
    });
    if (box.call) {
      const choose = () => {
        drawing.querySelector(".box.chosen")?.classList.remove("chosen");
        drawn.classList.add("chosen");
        chosen.replaceChildren(detailsOf(box.call, data, cost));
      };
      drawn.addEventListener("click", choose);
      drawn.addEventListener("keydown", (event) => {
        if (event.key === "Enter") choose();
      });
    }
    drawing.append(drawn);
  });
  const frame = element("div", { class: height > 12000 ? "scroll graph long" : "scroll graph" }, drawing);
  requestAnimationFrame(() => frame.scrollTo(places[0].x - frame.clientWidth / 2, 0));
  return section("Graph", element("p", { class: "faint" }, `Boxes are calls of kernels with the nodes that they compute, their bars ${cost.title}${isCompared ? ", grey below the box the second run's of the same nodes" : ""}; edges are the model's values.`), frame, chosen);
}
