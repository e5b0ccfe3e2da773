// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watches the buffers, asks the oracle, finds how each value lies in its buffer.
#include "driver/layers.h"

#include "driver/oracle.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace llvm;

namespace sinter {
namespace {

/// Elements of a buffer in the order of a value's: `strides` (in elements of the buffer) per dim of `sizes`.
std::string gathered(StringRef bytes, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, size_t elementBytes) {
  std::string result;
  std::vector<int64_t> at(sizes.size(), 0);
  int64_t count = std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
  for (int64_t i = 0; i < count; ++i) {
    int64_t offset = std::inner_product(at.begin(), at.end(), strides.begin(), int64_t(0));
    result += bytes.substr(static_cast<size_t>(offset) * elementBytes, elementBytes);
    for (size_t d = sizes.size(); d-- > 0 && ++at[d] == sizes[d];)
      at[d] = 0;
  }
  return result;
}

struct Dim {
  int64_t size, stride;
};

/// Dims of a gapless buffer that are not 1.
std::vector<Dim> dimsOf(ArrayRef<int64_t> shape) {
  std::vector<Dim> dims;
  int64_t stride = 1;
  for (int64_t size : reverse(shape)) {
    if (size != 1)
      dims.insert(dims.begin(), {size, stride});
    stride *= size;
  }
  return dims;
}

/// Calls `look` with the strides of each order of `dims` whose sizes are `sizes`.
void forEachOrder(ArrayRef<int64_t> sizes, std::vector<Dim> dims, std::vector<int64_t> &strides,
                  llvm::function_ref<void(ArrayRef<int64_t>)> look) {
  if (sizes.empty())
    return dims.empty() ? look(strides) : void();
  for (size_t d = 0; d < dims.size(); ++d)
    if (dims[d].size == sizes.front()) {
      std::vector<Dim> rest = dims;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(d));
      strides.push_back(dims[d].stride);
      forEachOrder(sizes.drop_front(), rest, strides, look);
      strides.pop_back();
    }
}

size_t elementBytes(StringRef element) {
  unsigned bits;
  if (element == "bf16")
    return 2;
  if (element.size() < 2 || !StringRef("fi").contains(element[0]) || element.drop_front().getAsInteger(10, bits))
    return 0; // 8-bit floats, complex numbers, strings
  return (bits + 7) / 8;
}

} // namespace

std::optional<HostArray> inOrderOf(const HostArray &expected, StringRef bytes, ArrayRef<int64_t> shape) {
  size_t width = bytesOf(expected.type, 1);
  std::optional<HostArray> best;
  std::pair<double, double> least; // the largest difference; where orders have the same, how much is alike
  auto consider = [&](std::string ordered) {
    HostArray candidate = expected;
    candidate.bytes = std::move(ordered);
    Comparison comparison = compare(candidate, expected);
    std::pair<double, double> distance(comparison.maxAbs, -comparison.cosine);
    if (best && !(distance < least))
      return;
    least = distance;
    best = std::move(candidate);
  };
  int64_t count = std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
  if (count == expected.size())
    consider(bytes.str()); // at most reshaped

  std::vector<int64_t> sizes;
  for (int64_t size : expected.dims)
    if (size != 1)
      sizes.push_back(size);
  std::vector<int64_t> strides;
  auto look = [&](ArrayRef<int64_t> order) { consider(gathered(bytes, sizes, order, width)); };
  if (count == expected.size())
    forEachOrder(sizes, dimsOf(shape), strides, look);
  // Channel blocks: the last dim of the buffer is the inner part of one of the value's, the last block perhaps not
  // full.
  if (shape.size() > expected.dims.size() && shape.back() > 1) {
    int64_t block = shape.back();
    for (size_t channel = 0; channel < sizes.size(); ++channel) {
      std::vector<int64_t> split = sizes;
      split[channel] = (sizes[channel] + block - 1) / block;
      std::vector<int64_t> outer;
      for (int64_t size : split)
        if (size != 1)
          outer.push_back(size);
      auto lookInBlocks = [&](ArrayRef<int64_t> order) {
        // As dims of the whole value the channel has two strides: gather block by block, then drop the filling.
        std::vector<int64_t> all, steps;
        size_t next = 0;
        for (size_t d = 0; d < split.size(); ++d) {
          all.push_back(split[d]);
          steps.push_back(split[d] == 1 ? 0 : order[next++]);
          if (d == channel) {
            all.push_back(block);
            steps.push_back(1);
          }
        }
        std::string blocks = gathered(bytes, all, steps, width);
        size_t inner = width, rows = 1;
        for (size_t d = channel + 1; d < sizes.size(); ++d)
          inner *= static_cast<size_t>(sizes[d]);
        for (size_t d = 0; d < channel; ++d)
          rows *= static_cast<size_t>(sizes[d]);
        size_t kept = static_cast<size_t>(sizes[channel]) * inner,
               stored = static_cast<size_t>(split[channel] * block) * inner;
        std::string value;
        for (size_t row = 0; row < rows; ++row)
          value += StringRef(blocks).substr(row * stored, kept);
        consider(std::move(value));
      };
      forEachOrder(outer, dimsOf(shape.drop_back()), strides, [&](ArrayRef<int64_t> order) {
        std::vector<int64_t> scaled;
        for (int64_t stride : order)
          scaled.push_back(stride * block);
        lookInBlocks(scaled);
      });
    }
  }
  return best;
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
      size_t width = elementBytes(value.element);
      if (lastCall[value.name] != i || width == 0 || is_contained(value.shape, -1) || is_contained(value.strides, -1))
        continue;
      options.watched.push_back(
          {static_cast<int64_t>(i), value.output, static_cast<int64_t>(width), value.shape, value.strides});
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
    if (!expected || run->status != 0 || run->watched[i].empty() || expected->type == ElementType::String ||
        bytesOf(expected->type, 1) != static_cast<size_t>(options.watched[i].elementBytes))
      continue;
    std::optional<HostArray> actual = inOrderOf(*expected, run->watched[i], values[i]->shape);
    if (!actual)
      continue;
    const KernelReport &kernel = report.kernels[static_cast<size_t>(options.watched[i].kernel)];
    result.layers.push_back({names[i], values[i]->node, kernel.function, options.watched[i].kernel, expected->type,
                             compare(*actual, *expected)});
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
  out << comparison.layers.size() << " tensors compared, of " << comparison.calls
      << " kernel calls; what other calls write is a part or no tensor of the model\n";
  if (first)
    out << "first that diverges: \"" << first->value << "\" of node \"" << first->node << "\" (call " << first->call
        << ", " << first->function << ")\n";
  else
    out << "none diverges\n";
}

} // namespace sinter
