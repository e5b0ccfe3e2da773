// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants one behind another: x * a * b is x * (a b), x + a - b is x + (a - b), and a factor per channel behind a
// contraction goes into its weights. Results differ by roundings.
#include "simplify/work.h"

#include "quantize/weights.h"

#include <cmath>

using namespace llvm;

namespace sinter::simplify {
namespace {

using quantize::FloatTensor;

/// A node that computes with a variable and a constant.
struct Scaling {
  int variable = 0; ///< its operand
  FloatTensor constant;
  bool isProduct = false; ///< or a sum
  bool isInverse = false; ///< divides, or subtracts
};

std::optional<Scaling> scalingOf(const Work &work, const onnx::NodeProto &node) {
  bool commutes = isStandard(node, "Mul") || isStandard(node, "Add");
  if (work.opset < 7 || node.input_size() != 2 || (!commutes && !isStandard(node, "Div") && !isStandard(node, "Sub")))
    return std::nullopt;
  for (int i : {1, 0}) {
    if (i == 0 && !commutes)
      break;
    std::optional<FloatTensor> constant = work.edit.floats(node.input(i));
    if (constant && !work.edit.constant(node.input(1 - i)))
      return Scaling{1 - i, std::move(*constant), isStandard(node, "Mul") || isStandard(node, "Div"), !commutes};
  }
  return std::nullopt;
}

/// Elementwise of two constants, spread over each other; none where a result leaves the range of normal numbers, or
/// has more elements than either. Terms that cancel are no sum of constants but a way to round (x + 2^23 - 2^23).
std::optional<FloatTensor> combined(const FloatTensor &a, const FloatTensor &b,
                                    llvm::function_ref<double(double, double)> combine, bool isSum) {
  size_t rank = std::max(a.dims.size(), b.dims.size());
  FloatTensor result;
  auto dimOf = [&](const FloatTensor &tensor, size_t d) {
    size_t missing = rank - tensor.dims.size();
    return d < missing ? int64_t(1) : tensor.dims[d - missing];
  };
  for (size_t d = 0; d < rank; ++d) {
    int64_t x = dimOf(a, d), y = dimOf(b, d);
    if (x != y && x != 1 && y != 1)
      return std::nullopt;
    result.dims.push_back(x == 1 ? y : x);
  }
  int64_t count = quantize::elementsOf(result.dims);
  if (count > static_cast<int64_t>(std::max(a.values.size(), b.values.size())))
    return std::nullopt;
  auto at = [&](const FloatTensor &tensor, int64_t i) {
    int64_t place = 0, stride = 1;
    for (size_t d = rank; d-- > 0; i /= result.dims[d]) {
      place += dimOf(tensor, d) == 1 ? 0 : i % result.dims[d] * stride;
      stride *= dimOf(tensor, d);
    }
    return static_cast<double>(tensor.values[static_cast<size_t>(place)]);
  };
  for (int64_t i = 0; i < count; ++i) {
    double x = at(a, i), y = at(b, i);
    auto value = static_cast<float>(combine(x, y));
    constexpr double most = 16; // four bits of the terms are lost, or were before
    bool cancels = isSum && std::abs(value) * most < std::max(std::abs(x), std::abs(y));
    if (cancels || (value != 0 && !std::isnormal(value)))
      return std::nullopt;
    result.values.push_back(value);
  }
  return result;
}

/// What a product of two variables is scaled by may end a Gelu or a HardSwish, which runtimes know by their nodes.
bool endsActivation(const Work &work, const onnx::NodeProto &node, const Scaling &scaling) {
  int maker = work.edit.maker(node.input(scaling.variable));
  if (maker < 0 || !scaling.isProduct || !isStandard(work.edit.node(maker), "Mul"))
    return false;
  return llvm::none_of(work.edit.node(maker).input(), [&](const auto &input) { return work.edit.constant(input); });
}

bool joinConstants(Work &work, onnx::NodeProto &node) {
  std::optional<Scaling> second = scalingOf(work, node);
  int maker = second ? work.edit.maker(node.input(second->variable)) : -1;
  if (maker < 0 || !work.hasOneReader(node.input(second->variable)))
    return false;
  const onnx::NodeProto &before = work.edit.node(maker);
  std::optional<Scaling> first = scalingOf(work, before);
  if (!first || first->isProduct != second->isProduct || endsActivation(work, before, *first))
    return false;
  // The operator is the first one's; the second constant is turned over where it is of the other kind.
  bool isOther = first->isInverse != second->isInverse, isProduct = first->isProduct;
  std::optional<FloatTensor> both = combined(
      first->constant, second->constant,
      [&](double a, double b) { return isProduct ? (isOther ? a / b : a * b) : (isOther ? a - b : a + b); },
      !isProduct);
  if (!both)
    return false;
  onnx::NodeProto joined =
      quantize::makeNode(before.op_type(), {before.input(first->variable)}, {node.output(0)}, node.name());
  joined.set_doc_string(node.doc_string());
  joined.add_input(work.edit.addConstant(
      quantize::floatTensor(before.input(1 - first->variable) + "_joined", both->dims, both->values)));
  node = std::move(joined);
  return true;
}

/// Conv, ConvTranspose, Gemm or MatMul, times a constant per channel of its result.
bool joinContraction(Work &work, onnx::NodeProto &node) {
  std::optional<Scaling> scaling = scalingOf(work, node);
  if (!scaling || !scaling->isProduct || !work.hasOneReader(node.input(scaling->variable)))
    return false;
  int maker = work.edit.maker(node.input(scaling->variable));
  auto result = work.dims(node.output(0));
  std::optional<int64_t> axis = maker < 0 ? std::nullopt : quantize::channelAxis(work.edit, work.edit.node(maker));
  if (!axis || !result || result->size() < 2 || work.dims(node.input(scaling->variable)) != result)
    return false;
  onnx::NodeProto &contraction = work.edit.node(maker);
  bool isConv = isStandard(contraction, "Conv") || isStandard(contraction, "ConvTranspose"),
       hasBias = contraction.input_size() > 2 && !contraction.input(2).empty();
  size_t channelDim = isConv ? 1 : result->size() - 1, rank = result->size(), given = scaling->constant.dims.size();
  for (size_t d = 0; d < given; ++d)
    if (given > rank || (scaling->constant.dims[d] != 1 && d + rank - given != channelDim))
      return false;
  std::optional<FloatTensor> weight = work.edit.floats(contraction.input(1)), bias;
  if (hasBias)
    bias = work.edit.floats(contraction.input(2));
  if (!weight || (hasBias && !bias) || work.edit.readers(contraction.input(1)).size() != 1)
    return false;
  const std::vector<float> &factors = scaling->constant.values;
  quantize::Axis shape = quantize::axisOf(weight->dims, *axis);
  auto channels = static_cast<size_t>(shape.channels);
  if ((factors.size() != 1 && factors.size() != channels) ||
      (bias && (bias->values.size() != channels || bias->dims.back() != shape.channels)))
    return false;
  bool isNormal = true;
  auto scale = [&](float &value, size_t channel) {
    double factor = factors[factors.size() == 1 ? 0 : channel];
    double product = scaling->isInverse ? static_cast<double>(value) / factor : static_cast<double>(value) * factor;
    isNormal &= std::isfinite(static_cast<float>(product));
    value = static_cast<float>(product);
  };
  for (size_t i = 0; i < weight->values.size(); ++i)
    scale(weight->values[i], i / static_cast<size_t>(shape.inner) % channels);
  for (size_t i = 0; bias && i < bias->values.size(); ++i)
    scale(bias->values[i], i);
  if (!isNormal)
    return false;
  onnx::NodeProto joined = contraction;
  joined.set_output(0, node.output(0));
  joined.set_input(
      1, work.edit.addConstant(quantize::floatTensor(contraction.input(1) + "_scaled", weight->dims, weight->values)));
  if (bias)
    joined.set_input(
        2, work.edit.addConstant(quantize::floatTensor(contraction.input(2) + "_scaled", bias->dims, bias->values)));
  contraction.set_name(contraction.name() + "_joined");
  node = std::move(joined);
  return true;
}
} // namespace

int64_t joinScales(Work &work) {
  int64_t joined = 0;
  for (onnx::NodeProto &node : *work.edit.graph.mutable_node())
    joined += joinConstants(work, node) || joinContraction(work, node);
  return joined;
}

} // namespace sinter::simplify
