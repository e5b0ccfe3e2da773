// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/model_report.h"

#include "driver/staging.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace sinter {
namespace {
int64_t integerOf(const json::Object &object, StringRef key) { return object.getInteger(key).value_or(0); }

std::string memberText(const json::Object &object, StringRef key) { return object.getString(key).value_or("").str(); }

/// -1 where a buffer's size is known at run time.
int64_t bytesOf(const json::Object &kernel) {
  int64_t sum = 0;
  for (StringRef side : {"inputs", "outputs"})
    for (const json::Value &buffer : *kernel.getArray(side)) {
      std::optional<int64_t> bytes = buffer.getAsObject()->getInteger("bytes");
      if (!bytes)
        return -1;
      sum += *bytes;
    }
  return sum;
}

KernelReport readKernel(const json::Object &object) {
  KernelReport kernel;
  kernel.function = memberText(object, "function");
  kernel.kind = memberText(object, "kernel");
  kernel.why = memberText(object, "why");
  kernel.shapes = memberText(object, "shapes");
  for (const json::Value &node : *object.getArray("nodes"))
    kernel.nodes.push_back(node.getAsString()->str());
  for (auto [i, buffer] : enumerate(*object.getArray("outputs"))) {
    const json::Object &output = *buffer.getAsObject();
    if (!output.get("value"))
      continue;
    ValueReport value{static_cast<int64_t>(i),
                      memberText(output, "value"),
                      memberText(output, "value_node"),
                      memberText(output, "element"),
                      ValueLayout::parse(memberText(output, "layout")).value_or(ValueLayout()),
                      {},
                      {}};
    for (const json::Value &size : *output.getArray("shape"))
      value.shape.push_back(*size.getAsInteger());
    for (const json::Value &stride : *output.getArray("strides"))
      value.strides.push_back(*stride.getAsInteger());
    kernel.values.push_back(std::move(value));
  }
  int64_t repeats = integerOf(object, "repeats");
  kernel.macs = integerOf(object, "macs") * repeats;
  int64_t bytes = bytesOf(object);
  kernel.bytes = bytes < 0 ? bytes : bytes * repeats;
  kernel.weightBytes = integerOf(object, "weight_bytes");
  kernel.arenaLiveBytes = integerOf(object, "arena_live_bytes");
  if (std::optional<double> microseconds = object.getNumber("estimated_us"))
    kernel.estimatedSeconds = *microseconds * 1e-6 * static_cast<double>(repeats);
  if (const json::Object *tuning = object.getObject("tuning")) {
    kernel.tuning = TuningReport{memberText(*tuning, "site"), memberText(*tuning, "taken"), {}};
    for (const json::Value &option : *tuning->getArray("options"))
      kernel.tuning->options.push_back(option.getAsString()->str());
  }
  return kernel;
}
} // namespace

Expected<ModelReport> readReport(const Staging &staging, StringRef prefix) {
  std::string path = staging.file((prefix + "_report.json").str());
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  if (!file)
    return createStringError(file.getError(), path + ": " + file.getError().message());
  Expected<json::Value> parsed = json::parse((*file)->getBuffer());
  if (!parsed)
    return parsed.takeError();
  ModelReport report;
  report.json = std::move(*parsed);
  const json::Object &root = *report.json.getAsObject();
  report.macs = integerOf(root, "macs");
  report.rowTilingWork = root.getNumber("row_tiling_work").value_or(1);
  report.arenaBytes = integerOf(*root.getObject("ram"), "arena");
  report.arenaAlign = integerOf(*root.getObject("ram"), "arena_align");
  report.weightsBytes = integerOf(*root.getObject("flash"), "weights");
  report.functions = integerOf(*root.getObject("counts"), "functions");
  report.copies = integerOf(*root.getObject("counts"), "copies");
  for (const json::Value &output : *root.getArray("outputs")) {
    std::string name = memberText(*output.getAsObject(), "name");
    if (std::optional<double> step = output.getAsObject()->getNumber("step"))
      report.steps[name] = *step;
    if (std::optional<double> spacing = output.getAsObject()->getNumber("spacing"))
      report.spacings[name] = *spacing;
    if (std::optional<double> range = output.getAsObject()->getNumber("range"))
      report.ranges[name] = *range;
  }
  for (const json::Value &kernel : *root.getArray("kernels"))
    report.kernels.push_back(readKernel(*kernel.getAsObject()));
  return report;
}

} // namespace sinter
