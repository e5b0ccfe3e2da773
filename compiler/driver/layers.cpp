// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watches the buffers, asks the oracle, brings each buffer into its value's order by the layout that the report states.
#include "driver/layers.h"

#include "driver/oracle.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
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
std::string textOf(ArrayRef<int64_t> shape) {
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
    reason = "[" + textOf(value.shape) + "] in memory is not all of [" + textOf(expected.dims) + "] in the layout " +
             value.layout.text();
    return std::nullopt;
  }
  HostArray result = expected;
  for (auto [i, place] : enumerate(*places))
    if (place >= 0)
      std::memcpy(&result.bytes[static_cast<size_t>(place) * width], bytes.data() + i * width, width);
  return result;
}

Expected<LayerComparison> compareLayers(const ModelProgram &program, const ModelReport &report, StringRef model,
                                        const std::vector<HostArray> &inputs, StringRef folder) {
  LayerComparison result;
  result.calls = static_cast<int64_t>(report.kernels.size());
  // What several calls say they leave (a tensor and its copy in another layout) counts where it is last.
  StringMap<size_t> lastCall;
  for (size_t i = 0; i < report.kernels.size(); ++i)
    for (const ValueReport &value : report.kernels[i].values)
      lastCall[value.name] = i;
  RunOptions options;
  std::vector<std::string> names;
  std::vector<const ValueReport *> values;
  for (size_t i = 0; i < report.kernels.size(); ++i)
    for (const ValueReport &value : report.kernels[i].values) {
      if (lastCall[value.name] != i)
        continue;
      if (StringRef reason = unwatchable(value); !reason.empty()) {
        result.skipped.push_back({value.name, reason.str(), static_cast<int64_t>(i)});
        continue;
      }
      options.watched.push_back({static_cast<int64_t>(i), value.output,
                                 static_cast<int64_t>(elementBytes(value.element)), value.shape, value.strides});
      names.push_back(value.name);
      values.push_back(&value);
    }
  auto reference = referenceValues(model, program.info(), inputs, names, folder);
  if (!reference)
    return reference.takeError();
  Expected<RunResult> run = program.run(inputs, options);
  if (!run)
    return run.takeError();
  for (size_t i = 0; i < names.size(); ++i) {
    const std::optional<HostArray> &expected = (*reference)[i];
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

void printLayers(const LayerComparison &comparison, double tolerance, raw_ostream &out) {
  const LayerComparison::Layer *first = nullptr;
  out << "tensors inside\n";
  for (const LayerComparison::Layer &layer : comparison.layers) {
    // Bytes are numbers of steps, as outputs of quantized nets are.
    bool isBytes = layer.type == ElementType::Int8 || layer.type == ElementType::UInt8;
    bool agrees = isClose(layer.comparison, tolerance), close = isClose(layer.comparison, tolerance, isBytes ? 1 : 0);
    out << format("  call %-4lld ", static_cast<long long>(layer.call)) << left_justify(layer.value, 40) << " "
        << textOf(layer.comparison, layer.type)
        << (agrees  ? "  ok\n"
            : close ? "  ok: within one step\n"
                    : "  DIFFERS\n");
    if (!close && !first)
      first = &layer;
  }
  for (const LayerComparison::Skipped &skipped : comparison.skipped)
    out << format("  call %-4lld ", static_cast<long long>(skipped.call)) << left_justify(skipped.value, 40)
        << " not compared: " << skipped.reason << "\n";
  out << comparison.layers.size() << " tensors compared, of " << comparison.calls
      << " kernel calls; what other calls write is a part or no tensor of the model\n";
  if (first)
    out << "first that diverges: \"" << first->value << "\" of node \"" << first->node << "\" (call " << first->call
        << ", " << first->function << ")\n";
  else
    out << "none diverges\n";
}

} // namespace sinter
