// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report of a quantization.
#include "driver/quantize_report.h"

#include "driver/answer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;

namespace sinter {
namespace {
using quantize::LayerReport;

StringRef nameOf(quantize::Calibration calibration) {
  static const char *const names[] = {"minmax", "percentile", "entropy", "mse"};
  return names[static_cast<int>(calibration)];
}

/// Signal to quantization noise, in decibels.
double decibels(double loss) { return loss > 0 ? -20 * std::log10(loss) : 999; }
} // namespace

namespace {
void printStatic(const quantize::StaticReport &q, int batchNorms, raw_ostream &out) {
  auto quantized = llvm::count_if(q.layers, [](const LayerReport &layer) { return layer.quantized; });
  out << quantized << " of " << q.layers.size() << " layers and " << q.values
      << " values are quantized; ranges: " << nameOf(q.calibration);
  if (batchNorms)
    out << "; " << batchNorms << " BatchNormalizations folded";
  if (q.equalized)
    out << "; layers equalized";
  if (q.biasesCorrected)
    out << "; biases corrected";
  out << format("\nloss on %zu of %zu samples: %.4g (%.1f dB); the largest value of a row moves in %.3g %%\n",
                q.trialSamples, q.samples, q.loss, decibels(q.loss), 100 * q.disagreement);
  if (q.losses.size() > 1) {
    out << "by way of choosing ranges:";
    for (auto [calibration, loss] : q.losses)
      out << " " << nameOf(calibration) << format(" %.4g", loss);
    out << "\n";
  }
  if (llvm::none_of(q.layers, [](const LayerReport &layer) { return layer.loss || !layer.quantized; }))
    return;
  std::vector<const LayerReport *> layers;
  for (const LayerReport &layer : q.layers)
    layers.push_back(&layer);
  llvm::stable_sort(
      layers, [](const LayerReport *a, const LayerReport *b) { return a->loss.value_or(-1) > b->loss.value_or(-1); });
  out << "loss of each layer when it alone is quantized:\n";
  for (const LayerReport *layer : layers) {
    if (layer->loss)
      out << format("  %-10.4g %6.1f dB  ", *layer->loss, decibels(*layer->loss));
    else
      out << "  not measured          ";
    out << (layer->quantized ? "int8   " : "float  ") << left_justify(layer->type, 14) << layer->name << "\n";
  }
}

void printWeightErrors(ArrayRef<quantize::WeightReport> weights, raw_ostream &out) {
  int64_t before = 0, after = 0;
  for (const quantize::WeightReport &weight : weights) {
    before += weight.before;
    after += weight.after;
  }
  out << weights.size() << " weights are quantized: " << before << " bytes become " << after << "\n";
  for (const quantize::WeightReport &weight : weights)
    out << format("  %-10.4g %6.1f dB  ", weight.loss, decibels(weight.loss)) << left_justify(weight.type, 14)
        << weight.name << "\n";
}
} // namespace

void printReport(const QuantizeReport &report, raw_ostream &out) {
  if (report.quantization)
    printStatic(*report.quantization, report.batchNorms, out);
  else if (report.half)
    out << report.half->tensors << " tensors are of 16 bits, " << report.half->casts << " casts were needed, "
        << report.half->clipped << " elements were beyond the range\n";
  else
    printWeightErrors(report.weights, out);
  if (report.difference)
    out << format(
        "loss on the samples: %.4g (%.1f dB); the largest value of a row moves in %.3g %%; as logits, rows of "
        "the first output diverge by %.3g nats\n",
        report.difference->loss, decibels(report.difference->loss), 100 * report.difference->disagreement,
        report.difference->divergence);
}

json::Object histogramOf(const quantize::Outline &outline) {
  return json::Object{{"low", outline.ends.low}, {"high", outline.ends.high}, {"counts", json::Array(outline.counts)}};
}

namespace {
void addStatic(const quantize::StaticReport &q, json::Object &root) {
  root["samples"] = static_cast<int64_t>(q.samples);
  root["trial_samples"] = static_cast<int64_t>(q.trialSamples);
  root["calibration"] = nameOf(q.calibration);
  json::Object losses;
  for (auto [calibration, loss] : q.losses)
    losses[nameOf(calibration)] = loss;
  root["losses"] = std::move(losses);
  root["loss"] = q.loss;
  root["disagreement"] = q.disagreement;
  root["equalized"] = q.equalized;
  root["biases_corrected"] = q.biasesCorrected;
  root["values"] = q.values;
  json::Array layers;
  for (const LayerReport &layer : q.layers) {
    json::Object object{{"name", utf8(layer.name)}, {"operator", utf8(layer.type)}, {"quantized", layer.quantized}};
    if (layer.loss) {
      object["loss"] = *layer.loss;
      object["sqnr_db"] = decibels(*layer.loss);
    }
    layers.push_back(std::move(object));
  }
  root["layers"] = std::move(layers);
  json::Array ranges;
  for (const quantize::RangeReport &range : q.ranges)
    ranges.push_back(json::Object{{"name", utf8(range.value)},
                                  {"scale", range.scale.scale},
                                  {"zero", range.scale.zero},
                                  {"from", range.reached.low},
                                  {"to", range.reached.high},
                                  {"clipped", range.clipped},
                                  {"loss", range.loss},
                                  {"histogram", histogramOf(range.outline)}});
  root["ranges"] = std::move(ranges);
}
} // namespace

json::Object jsonOf(const QuantizeReport &report) {
  json::Object root{{"version", 1}, {"way", report.way}, {"batch_norms_folded", report.batchNorms}};
  if (report.quantization)
    addStatic(*report.quantization, root);
  if (report.difference) {
    root["loss"] = report.difference->loss;
    root["disagreement"] = report.difference->disagreement;
    root["divergence"] = report.difference->divergence;
  }
  if (report.half)
    root["half"] = json::Object{
        {"tensors", report.half->tensors}, {"casts", report.half->casts}, {"clipped", report.half->clipped}};
  json::Array weights;
  for (const quantize::WeightReport &weight : report.quantization ? report.quantization->weights : report.weights)
    weights.push_back(json::Object{{"name", utf8(weight.name)},
                                   {"operator", utf8(weight.type)},
                                   {"bytes_before", weight.before},
                                   {"bytes", weight.after},
                                   {"loss", weight.loss},
                                   {"histogram", histogramOf(weight.outline)}});
  if (!weights.empty())
    root["weights"] = std::move(weights);
  return root;
}

std::string textOf(json::Object object) { return formatv("{0:2}\n", json::Value(std::move(object))); }

} // namespace sinter
