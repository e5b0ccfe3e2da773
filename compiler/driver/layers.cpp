// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watches the buffers, asks the oracle, brings each buffer into its value's order by the layout that the report states.
#include "driver/layers.h"

#include "driver/answer.h"
#include "driver/oracle.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>

using namespace llvm;

namespace sinter {
namespace {

size_t elementBytes(StringRef element) {
  unsigned bits;
  if (element == "bf16")
    return 2;
  if (element.size() < 2 || !StringRef("fi").contains(element[0]) || element.drop_front().getAsInteger(10, bits))
    return 0; // 8-bit floats, complex numbers, strings
  return (bits + 7) / 8;
}

/// Why a value cannot be watched, or nothing.
StringRef unwatchable(const ValueReport &value) {
  if (elementBytes(value.element) == 0)
    return "elements of its type are not compared";
  if (is_contained(value.shape, -1) || is_contained(value.strides, -1))
    return "its size is known at run time only";
  return "";
}

/// "16x8x8".
std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  raw_string_ostream out(text);
  interleave(shape, out, "x");
  return text;
}

} // namespace

std::optional<HostArray> inOrderOf(const HostArray &expected, StringRef bytes, const ValueReport &value,
                                   std::string &reason) {
  size_t width = bytesOf(expected.type, 1);
  if (expected.type == ElementType::String || width != elementBytes(value.element)) {
    reason = "it is held as " + value.element;
    return std::nullopt;
  }
  if (!value.layout.isKnown()) {
    reason = "its layout is not known";
    return std::nullopt;
  }
  std::optional<std::vector<int64_t>> places = value.layout.placesIn(expected.dims, value.shape);
  if (!places || places->size() * width != bytes.size()) {
    reason = "[" + shapeText(value.shape) + "] in memory is not all of [" + shapeText(expected.dims) +
             "] in the layout " + value.layout.text();
    return std::nullopt;
  }
  HostArray result = expected;
  for (auto [i, place] : enumerate(*places))
    if (place >= 0)
      std::memcpy(&result.bytes[static_cast<size_t>(place) * width], bytes.data() + i * width, width);
  if (value.layout.hasFlippedBytes())
    for (char &byte : result.bytes)
      byte = static_cast<char>(byte ^ 0x80);
  return result;
}

WatchedValues watchedValues(const ModelReport &report) {
  WatchedValues result;
  // What several calls say they leave (a tensor and its copy in another layout) counts where it is last.
  StringMap<size_t> lastCall;
  for (size_t i = 0; i < report.kernels.size(); ++i)
    for (const ValueReport &value : report.kernels[i].values)
      lastCall[value.name] = i;
  for (size_t i = 0; i < report.kernels.size(); ++i)
    for (const ValueReport &value : report.kernels[i].values) {
      if (lastCall[value.name] != i)
        continue;
      auto call = static_cast<int64_t>(i);
      if (StringRef reason = unwatchable(value); !reason.empty()) {
        result.skipped.push_back({value.name, reason.str(), call});
        continue;
      }
      result.buffers.push_back(
          {call, value.output, static_cast<int64_t>(elementBytes(value.element)), value.shape, value.strides});
      result.values.push_back(&value);
    }
  return result;
}

Expected<LayerComparison> compareLayers(const ModelProgram &program, const ModelReport &report, StringRef model,
                                        const std::vector<HostArray> &inputs, StringRef folder) {
  LayerComparison result;
  result.calls = static_cast<int64_t>(report.kernels.size());
  WatchedValues watched = watchedValues(report);
  result.skipped = std::move(watched.skipped);
  RunOptions options;
  options.watched = std::move(watched.buffers);
  const std::vector<const ValueReport *> &values = watched.values;
  std::vector<std::string> names;
  for (const ValueReport *value : values)
    names.push_back(value->name);
  auto references = referenceValues(model, program.info(), inputs, names, folder);
  if (!references)
    return references.takeError();
  const std::vector<std::optional<HostArray>> &reference = references->front();
  Expected<RunResult> run = program.run(inputs, options);
  if (!run)
    return run.takeError();
  for (size_t i = 0; i < names.size(); ++i) {
    const std::optional<HostArray> &expected = reference[i];
    std::string reason;
    std::optional<HostArray> actual;
    if (run->status != 0 || run->watched[i].empty())
      reason = "its kernel did not run";
    else if (!expected)
      reason = "onnxruntime gives no value of that name";
    else
      actual = inOrderOf(*expected, run->watched[i], *values[i], reason);
    int64_t call = options.watched[i].kernel;
    if (!actual) {
      result.skipped.push_back({names[i], reason, call});
      continue;
    }
    const KernelReport &kernel = report.kernels[static_cast<size_t>(call)];
    result.layers.push_back(
        {names[i], values[i]->node, kernel.function, call, expected->type, compare(*actual, *expected)});
  }
  return result;
}

namespace {
enum class Agreement { Close, WithinStep, Differs };

Agreement agreementOf(const LayerComparison::Layer &layer, double tolerance) {
  // Bytes are numbers of steps, as outputs of quantized nets are.
  bool isBytes = layer.type == ElementType::Int8 || layer.type == ElementType::UInt8;
  if (isClose(layer.comparison, tolerance))
    return Agreement::Close;
  return isClose(layer.comparison, tolerance, isBytes ? 1 : 0) ? Agreement::WithinStep : Agreement::Differs;
}

const LayerComparison::Layer *firstThatDiffers(const LayerComparison &comparison, double tolerance) {
  auto first = llvm::find_if(comparison.layers, [&](const LayerComparison::Layer &layer) {
    return agreementOf(layer, tolerance) == Agreement::Differs;
  });
  return first == comparison.layers.end() ? nullptr : &*first;
}
} // namespace

void printLayers(const LayerComparison &comparison, double tolerance, raw_ostream &out) {
  static constexpr llvm::StringLiteral words[] = {"  ok\n", "  ok: within one step\n", "  DIFFERS\n"};
  out << "tensors inside\n";
  for (const LayerComparison::Layer &layer : comparison.layers)
    out << format("  call %-4lld ", static_cast<long long>(layer.call)) << left_justify(layer.value, 40) << " "
        << textOf(layer.comparison, layer.type) << words[static_cast<size_t>(agreementOf(layer, tolerance))];
  for (const LayerComparison::Skipped &skipped : comparison.skipped)
    out << format("  call %-4lld ", static_cast<long long>(skipped.call)) << left_justify(skipped.value, 40)
        << " not compared: " << skipped.reason << "\n";
  out << comparison.layers.size() << " tensors compared, of " << comparison.calls
      << " kernel calls; what other calls write is a part or no tensor of the model\n";
  if (const LayerComparison::Layer *first = firstThatDiffers(comparison, tolerance))
    out << "first that diverges: \"" << first->value << "\" of node \"" << first->node << "\" (call " << first->call
        << ", " << first->function << ")\n";
  else
    out << "none diverges\n";
}

json::Object jsonOf(const LayerComparison &comparison, double tolerance) {
  json::Array compared, skipped;
  for (const LayerComparison::Layer &layer : comparison.layers) {
    json::Object object{{"value", utf8(layer.value)},
                        {"node", utf8(layer.node)},
                        {"function", layer.function},
                        {"call", layer.call},
                        {"ok", agreementOf(layer, tolerance) != Agreement::Differs}};
    if (std::isfinite(layer.comparison.maxAbs))
      object["max_abs"] = layer.comparison.maxAbs;
    compared.push_back(std::move(object));
  }
  for (const LayerComparison::Skipped &other : comparison.skipped)
    skipped.push_back(json::Object{{"value", utf8(other.value)}, {"call", other.call}, {"reason", utf8(other.reason)}});
  json::Object object{
      {"calls", comparison.calls}, {"compared", std::move(compared)}, {"not_compared", std::move(skipped)}};
  if (const LayerComparison::Layer *first = firstThatDiffers(comparison, tolerance))
    object["first_that_diverges"] = utf8(first->value);
  return object;
}

} // namespace sinter
