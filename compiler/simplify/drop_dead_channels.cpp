// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Channels between two convolutions that reach no result: the second has only zeros for them, or the first makes them 0
// whatever it reads (all its weights zero, and a bias that what follows turns into 0). In between may be what keeps
// channels apart and 0 at 0. Sizes of values change, so that nothing else may rely on what is known in this round.
#include "simplify/work.h"

#include <algorithm>

using namespace llvm;

namespace sinter::simplify {
namespace {

struct FloatConv {
  onnx::NodeProto *node;
  quantize::FloatTensor weight;
  std::optional<quantize::FloatTensor> bias;

  int64_t outputs() const { return weight.dims[0]; }
  int64_t perGroup() const { return weight.dims[1]; }
  int64_t group() const { return integerOf(*node, "group", 1); }
  double biasOf(int64_t channel) const { return bias ? bias->values[static_cast<size_t>(channel)] : 0; }
  /// Whether all weights from input `in` (of a group; -1: any) to output `out` (-1: any) are zero.
  bool isZero(int64_t out, int64_t in) const {
    int64_t inner = quantize::elementsOf(ArrayRef(weight.dims).drop_front(2));
    for (size_t i = 0; i < weight.values.size(); ++i) {
      auto at = static_cast<int64_t>(i) / inner;
      if ((out < 0 || at / perGroup() == out) && (in < 0 || at % perGroup() == in) && weight.values[i] != 0)
        return false;
    }
    return true;
  }
};

std::optional<FloatConv> floatConv(Work &work, onnx::NodeProto &node) {
  auto values = isStandard(node, "Conv") ? work.edit.floats(node.input(1)) : std::nullopt;
  if (!values || values->dims.size() < 3)
    return std::nullopt;
  FloatConv conv{&node, std::move(*values), std::nullopt};
  if (node.input_size() > 2 && !node.input(2).empty()) {
    conv.bias = work.edit.floats(node.input(2));
    if (!conv.bias || static_cast<int64_t>(conv.bias->values.size()) != conv.outputs())
      return std::nullopt;
  }
  return conv;
}

/// The elements at `kept` of an axis.
quantize::FloatTensor keepAlong(const quantize::FloatTensor &tensor, int64_t axis, ArrayRef<int64_t> kept) {
  quantize::Axis shape = quantize::axisOf(tensor.dims, axis);
  quantize::FloatTensor result{tensor.dims, {}};
  result.dims[static_cast<size_t>(axis)] = static_cast<int64_t>(kept.size());
  for (int64_t o = 0; o < shape.outer; ++o)
    for (int64_t channel : kept)
      for (int64_t i = 0; i < shape.inner; ++i)
        result.values.push_back(tensor.values[static_cast<size_t>((o * shape.channels + channel) * shape.inner + i)]);
  return result;
}

class ChannelDropper {
public:
  explicit ChannelDropper(Work &work) : work(work) {}

  /// How many channels of the convolution's result went.
  int64_t visit(onnx::NodeProto &node) {
    std::optional<FloatConv> first = floatConv(work, node);
    if (!first || first->group() != 1)
      return 0;
    // What a channel is everywhere, if all its weights are zero.
    std::vector<std::optional<double>> constant(static_cast<size_t>(first->outputs()));
    for (int64_t c = 0; c < first->outputs(); ++c)
      if (first->isZero(c, -1))
        constant[static_cast<size_t>(c)] = first->biasOf(c);
    std::vector<FloatConv> between;
    std::string value = node.output(0);
    while (true) {
      if (!work.hasOneReader(value) || work.edit.readers(value).front().node < 0 ||
          work.edit.readers(value).front().input != 0)
        return 0;
      onnx::NodeProto &reader = work.edit.node(work.edit.readers(value).front().node);
      std::optional<FloatConv> conv = floatConv(work, reader);
      if (conv && conv->group() == 1)
        return drop(*first, between, *conv, constant);
      if (conv && conv->perGroup() == 1 && conv->outputs() == first->outputs() && conv->group() == conv->outputs()) {
        for (auto [c, known] : enumerate(constant)) {
          bool isZero = known == 0.0; // else borders differ
          known = isZero ? std::optional(conv->biasOf(static_cast<int64_t>(c))) : std::nullopt;
        }
        between.push_back(std::move(*conv));
      } else if (!follow(reader, constant)) {
        return 0;
      }
      value = reader.output(0);
    }
  }

private:
  /// What a node that keeps channels apart makes of constants; false for others.
  bool follow(const onnx::NodeProto &node, std::vector<std::optional<double>> &constant) {
    double low = -INFINITY, high = INFINITY, slope = 0;
    if (isStandard(node, "Relu")) {
      low = 0;
    } else if (isStandard(node, "Clip")) {
      for (auto [input, bound] : {std::pair(1, &low), std::pair(2, &high)})
        if (node.input_size() > input && !node.input(input).empty()) {
          std::optional<double> number = work.number(node.input(input));
          if (!number)
            return false;
          *bound = *number;
        }
      if (work.opset < 11)
        return false;
    } else if (isStandard(node, "LeakyRelu")) {
      slope = quantize::floatOf(node, "alpha", 0.01f);
      for (std::optional<double> &known : constant)
        if (known && *known < 0)
          known = *known * slope;
      return true;
    } else if (isStandard(node, "MaxPool") || isStandard(node, "AveragePool") ||
               isStandard(node, "GlobalAveragePool") || isStandard(node, "GlobalMaxPool")) {
      for (std::optional<double> &known : constant)
        if (known != 0.0)
          known.reset();
      return node.output_size() == 1;
    } else {
      return false;
    }
    for (std::optional<double> &known : constant)
      if (known)
        known = std::min(std::max(*known, low), high);
    return true;
  }

  int64_t drop(FloatConv &first, std::vector<FloatConv> &between, FloatConv &last,
               const std::vector<std::optional<double>> &constant) {
    std::vector<int64_t> kept;
    for (int64_t c = 0; c < first.outputs(); ++c)
      if (constant[static_cast<size_t>(c)] != 0.0 && !last.isZero(-1, c))
        kept.push_back(c);
    int64_t dropped = first.outputs() - static_cast<int64_t>(kept.size());
    if (dropped == 0 || kept.empty() || last.perGroup() != first.outputs())
      return 0;
    keepOutputs(first, kept);
    for (FloatConv &conv : between) {
      keepOutputs(conv, kept);
      quantize::setInteger(*conv.node, "group", static_cast<int64_t>(kept.size()));
    }
    setTensor(last, 1, keepAlong(last.weight, 1, kept));
    work.edit.index();
    return dropped;
  }

  void keepOutputs(FloatConv &conv, ArrayRef<int64_t> kept) {
    setTensor(conv, 1, keepAlong(conv.weight, 0, kept));
    if (conv.bias)
      setTensor(conv, 2, keepAlong(*conv.bias, 0, kept));
  }

  void setTensor(FloatConv &conv, int input, const quantize::FloatTensor &tensor) {
    work.edit.setConstant(*conv.node, input,
                          quantize::floatTensor(conv.node->input(input), tensor.dims, tensor.values));
  }

  Work &work;
};
} // namespace

int64_t dropDeadChannels(Work &work) {
  int64_t dropped = 0;
  if (work.options.deadChannels)
    for (int n = 0; n < work.edit.nodes(); ++n)
      dropped += ChannelDropper(work).visit(work.edit.node(n));
  return dropped;
}

} // namespace sinter::simplify
