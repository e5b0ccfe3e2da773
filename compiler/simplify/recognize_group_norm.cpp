// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exporters have spelled the norm of groups of channels by that of single ones: Reshape to [n, groups, all else],
// InstanceNormalization without a scale of its own, Reshape back, then scale and bias of each channel.
#include "simplify/recognize.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

class GroupNormMatcher {
public:
  explicit GroupNormMatcher(Work &work) : work(work) {}

  /// Whether the sum `node` became the operator.
  bool visit(onnx::NodeProto &node) {
    if (!isStandard(node, "Add"))
      return false;
    auto [bias, product] = besideConstant(node, "Mul");
    auto [scale, shaped] = product ? besideConstant(*product, "Reshape") : Operands();
    const onnx::NodeProto *norm = shaped ? ownMaker(shaped->input(0), "InstanceNormalization") : nullptr;
    const onnx::NodeProto *grouped = norm ? work.makerOf(norm->input(0), "Reshape") : nullptr;
    if (!grouped || work.number(norm->input(1)) != 1.0 || work.number(norm->input(2)) != 0.0)
      return false;
    const std::string x = grouped->input(0);
    auto dims = work.dims(x), inGroups = work.dims(grouped->output(0)), result = work.dims(shaped->output(0));
    constexpr size_t rankInGroups = 3;
    if (!dims || !inGroups || !result || dims->size() < 2 || inGroups->size() != rankInGroups || *result != *dims ||
        !((*inGroups)[0] == (*dims)[0]))
      return false;
    std::optional<int64_t> channels = (*dims)[1].number, groups = (*inGroups)[1].number;
    if (!channels || !groups || *groups < 1 || *channels % *groups != 0)
      return false;
    std::optional<onnx::TensorProto> factors = ofChannels(*scale, dims->size(), *channels),
                                     shifts = ofChannels(*bias, dims->size(), *channels);
    if (!factors || !shifts)
      return false;
    onnx::NodeProto made =
        quantize::makeNode("GroupNormalization", {x, work.edit.addConstant(*factors), work.edit.addConstant(*shifts)},
                           {node.output(0)}, node.name());
    quantize::setInteger(made, "num_groups", *groups);
    onnx::AttributeProto *epsilon = made.add_attribute();
    epsilon->set_name("epsilon");
    epsilon->set_type(onnx::AttributeProto::FLOAT);
    epsilon->set_f(quantize::floatOf(*norm, "epsilon", 1e-5f));
    node = std::move(made);
    return true;
  }

private:
  using Operands = std::pair<const onnx::TensorProto *, const onnx::NodeProto *>;

  const onnx::NodeProto *ownMaker(StringRef value, StringRef type) {
    return work.hasOneReader(value) ? work.makerOf(value, type) : nullptr;
  }
  /// A constant operand, and what makes the other one for this node alone.
  Operands besideConstant(const onnx::NodeProto &node, StringRef type) {
    for (int i = 0; i < 2 && node.input_size() == 2; ++i)
      if (const onnx::TensorProto *tensor = work.edit.constant(node.input(i)))
        if (const onnx::NodeProto *maker = ownMaker(node.input(1 - i), type))
          return {tensor, maker};
    return {};
  }
  /// [channels] of [1, channels, 1, ...], which is added or multiplied to maps of that rank.
  static std::optional<onnx::TensorProto> ofChannels(const onnx::TensorProto &tensor, size_t rank, int64_t channels) {
    size_t own = static_cast<size_t>(tensor.dims_size());
    if (own > rank || own + 1 < rank)
      return std::nullopt;
    for (size_t d = 0; d < own; ++d)
      if (tensor.dims(static_cast<int>(d)) != (d + rank - own == 1 ? channels : 1))
        return std::nullopt;
    onnx::TensorProto made = tensor;
    made.clear_dims();
    made.add_dims(channels);
    made.set_name(tensor.name() + "_of_channels");
    return made;
  }

  Work &work;
};
} // namespace

int64_t recognizeGroupNorms(Work &work) {
  constexpr int64_t since = 21; // before, scale and bias were those of groups
  int64_t found = 0;
  GroupNormMatcher matcher(work);
  for (onnx::NodeProto &node : *work.edit.graph.mutable_node())
    found += work.opset >= since && matcher.visit(node);
  work.settle();
  return found;
}

} // namespace sinter::simplify
