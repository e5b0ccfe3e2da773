// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What quantization did: how much is lost, how weights and values are spread, what integers reach of that, and how much noise they add.
"use strict";

/** A share of noise as a distance in decibels. */
function decibelsText(loss) {
  return loss === undefined || loss === null ? "" : loss > 0 ? `${(-20 * Math.log10(loss)).toFixed(1)} dB` : "exact";
}

function numberText(value) {
  return value === null ? "" : String(Number(value.toPrecision(3)));
}

/** Bars of a histogram; lines where integers end, if these reach less or more than there is. */
function histogramOf(histogram, reached) {
  const { low, high, counts } = histogram, width = 160, height = 36;
  if (!counts.length || !(high > low)) return "";
  const from = Math.min(low, reached?.from ?? low), to = Math.max(high, reached?.to ?? high);
  const x = (value) => (width * (value - from)) / (to - from);
  const most = Math.log1p(counts.reduce((larger, count) => Math.max(larger, count), 1));
  const bars = counts.map((count, i) => {
    const [left, right] = [x(low + ((high - low) * i) / counts.length), x(low + ((high - low) * (i + 1)) / counts.length)];
    const top = height - (height * Math.log1p(count)) / most;
    return `M${left.toFixed(1)},${height}V${top.toFixed(1)}H${right.toFixed(1)}V${height}Z`;
  });
  const drawing = shape("svg", { class: "histogram", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "histogram" },
    `${numberText(low)} … ${numberText(high)}` + (reached ? `\nintegers reach ${numberText(reached.from)} … ${numberText(reached.to)}` : ""));
  drawing.append(shape("path", { d: bars.join(""), fill: "var(--accent)" }));
  for (const end of reached ? [reached.from, reached.to] : [])
    drawing.append(shape("line", { class: "end", x1: x(end), x2: x(end), y1: 0, y2: height }));
  return drawing;
}

function tableOf(id, heads, rows) {
  return element("div", { class: "scroll" }, element("table", { id },
    element("tr", {}, ...heads.map(([title, isNumber]) => element("th", isNumber ? { class: "number" } : {}, title))),
    ...rows.map((row) => element("tr", { class: "quantized" }, ...row.map((cell, i) => (i ? element("td", heads[i][1] ? { class: "number" } : {}, cell ?? "") : nameCell(cell)))))));
}

function factsOfQuantization(data) {
  const layers = data.layers ?? [], facts = [];
  const fact = (value, what) => facts.push(element("div", { class: "fact" }, element("b", {}, value), element("span", {}, what)));
  if (typeof data.loss === "number") fact(decibelsText(data.loss), "signal to noise of the outputs, on the samples");
  if (typeof data.disagreement === "number") fact(`${(100 * data.disagreement).toFixed(1)} %`, "of rows whose largest value moved");
  if (layers.length) fact(`${layers.filter((layer) => layer.quantized).length} of ${layers.length}`, "layers are quantized");
  if (data.weights) fact(bytesText(data.weights.reduce((sum, weight) => sum + weight.bytes, 0)), `weights; ${bytesText(data.weights.reduce((sum, weight) => sum + weight.bytes_before, 0))} before`);
  if (data.half) fact(String(data.half.tensors), `tensors of 16 bits, ${data.half.casts} casts, ${data.half.clipped} elements clipped`);
  return facts;
}

function layersOfQuantization(data) {
  const weights = new Map((data.weights ?? []).map((weight) => [weight.name, weight]));
  const layers = data.layers ?? (data.weights ?? []).map((weight) => ({ ...weight, quantized: true, loss: undefined }));
  if (!layers.length) return "";
  const heads = [["layer"], ["operator"], ["is"], ["alone", true], ["weights", true], ["noise of weights", true], ["from … to", true], ["their histogram"]];
  return section("Layers", element("p", { class: "faint" }, "Alone: how far outputs are off when this layer is the only one quantized, where that was measured (--sensitivity). Heights of bars are logarithmic."),
    tableOf("layers", heads, layers.map((layer) => {
      const weight = weights.get(layer.name), spread = weight?.histogram;
      return [layer.name, layer.operator, layer.quantized ? "quantized" : "float", decibelsText(layer.loss), weight ? bytesText(weight.bytes) : "", decibelsText(weight?.loss),
        spread ? `${numberText(spread.low)} … ${numberText(spread.high)}` : "", spread ? histogramOf(spread) : ""];
    })));
}

function rangesOfQuantization(data) {
  if (!data.ranges?.length) return "";
  const heads = [["value"], ["from … to", true], ["integers reach", true], ["beyond", true], ["scale", true], ["zero", true], ["noise", true], ["histogram, and where integers end"]];
  return section("Values", element("p", { class: "faint" }, "What lies between layers, on the samples; values that are only moved share a scale."),
    tableOf("ranges", heads, data.ranges.map((range) => [range.name, `${numberText(range.histogram.low)} … ${numberText(range.histogram.high)}`, `${numberText(range.from)} … ${numberText(range.to)}`,
      range.clipped ? `${(100 * range.clipped).toPrecision(2)} %` : "", numberText(range.scale), String(range.zero), decibelsText(range.loss), histogramOf(range.histogram, range)])));
}

/** Two quantizations of one model: layers and values whose noise differs most come first. */
function quantizationsCompared(data) {
  const other = data.other;
  if (!other) return "";
  const row = (what, of) => [what, of(data) ?? "", of(other) ?? ""];
  const figures = [row("model", (run) => fileOf(run.model)), row("way", (run) => run.way), row("ranges", (run) => run.calibration), row("signal to noise", (run) => decibelsText(run.loss)),
    row("rows whose largest value moved", (run) => (typeof run.disagreement === "number" ? `${(100 * run.disagreement).toFixed(1)} %` : ""))].filter(([, first, second]) => first || second);
  const named = (run) => new Map([...(run.weights ?? []).map((weight) => [`weights of ${weight.name}`, weight.loss]), ...(run.ranges ?? []).map((range) => [range.name, range.loss]),
    ...(run.layers ?? []).filter((layer) => layer.loss !== undefined).map((layer) => [`${layer.name} alone`, layer.loss])]);
  const [first, second] = [named(data), named(other)];
  const moved = [...new Set([...first.keys(), ...second.keys()])].map((name) => ({ name, a: first.get(name), b: second.get(name) }))
    .filter(({ a, b }) => a !== b).sort((x, y) => Math.abs((y.b ?? 0) - (y.a ?? 0)) - Math.abs((x.b ?? 0) - (x.a ?? 0))).slice(0, 200);
  return section("Compared", element("p", { class: "faint" }, "The second beside the first, which the rest of the page is about."),
    tableOf("comparison", [[""], ["first", true], ["second", true]], figures),
    moved.length ? tableOf("noise", [["noise of"], ["first", true], ["second", true]], moved.map(({ name, a, b }) => [name, decibelsText(a), decibelsText(b)])) : "");
}

function quantizedOf(data) {
  return [
    element("header", {}, element("h1", {}, fileOf(data.model)),
      element("p", { class: "faint" }, `${data.model} · ${data.way}${data.calibration ? ` · ranges: ${data.calibration}` : ""}${data.equalized ? " · layers equalized" : ""}${data.biases_corrected ? " · biases corrected" : ""}`),
      element("div", { class: "facts" }, ...factsOfQuantization(data))),
    quantizationsCompared(data), layersOfQuantization(data), rangesOfQuantization(data)].filter(Boolean);
}
