// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes whose result is their operand: by what they are (Identity, Dropout when nothing is trained), by their operands
// (Pad by nothing, a product with 1), or because the sizes before and behind are the same (Reshape, Slice, Tile).
#include "simplify/work.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

class IdentityDropper {
public:
  explicit IdentityDropper(Work &work) : work(work) {}

  int64_t run() {
    int64_t dropped = 0;
    for (onnx::NodeProto &node : *work.edit.graph.mutable_node()) {
      if (node.input_size() == 0 || node.output_size() == 0 || node.output(0).empty() || node.domain() == "ai.onnx.ml")
        continue;
      int handed = handedOn(node);
      if (handed >= 0 && work.replace(node.output(0), node.input(handed)))
        ++dropped;
    }
    return dropped;
  }

private:
  /// The operand that is the result; -1: none is.
  int handedOn(const onnx::NodeProto &node) {
    StringRef type = node.op_type();
    if (!isStandard(node, type))
      return -1;
    if (type == "Identity")
      return 0;
    if (type == "Dropout")
      return isNeverTrained(node) ? 0 : -1;
    if (type == "Cast")
      return work.element(node.input(0)) != ElementType::Undefined &&
                     integerOf(node, "to", 0) == static_cast<int64_t>(work.element(node.input(0)))
                 ? 0
                 : -1;
    if (type == "CastLike")
      return work.element(node.input(0)) != ElementType::Undefined &&
                     work.element(node.input(0)) == work.element(node.input(1))
                 ? 0
                 : -1;
    if (type == "Concat" || type == "Sum" || type == "Max" || type == "Min" || type == "Mean")
      return node.input_size() == 1 ? 0 : -1;
    if (type == "Clip")
      return work.opset >= 11 && !isGiven(node, 1) && !isGiven(node, 2) ? 0 : -1;
    if (type == "Mul" || type == "Div" || type == "Add" || type == "Sub" || type == "And" || type == "Or")
      return neutral(node, type);
    if (!sameDims(node.input(0), node.output(0)))
      return -1;
    if (type == "Reshape" || type == "Flatten" || type == "Squeeze" || type == "Unsqueeze" || type == "Expand" ||
        type == "Tile")
      return 0;
    if (type == "Slice")
      return goesForward(node) ? 0 : -1;
    if (type == "Pad")
      return padsNothing(node) ? 0 : -1;
    if (type == "Transpose")
      return work.keepsOrder(node) ? 0 : -1;
    if (type == "Split")
      return node.output_size() == 1 ? 0 : -1;
    if (type == "ReduceSum" || type == "ReduceMean" || type == "ReduceMax" || type == "ReduceMin" ||
        type == "ReduceProd")
      return integerOf(node, "keepdims", 1) == 1 ? 0 : -1; // of dims that are 1
    return -1;
  }

  static bool isGiven(const onnx::NodeProto &node, int input) {
    return node.input_size() > input && !node.input(input).empty();
  }

  bool isNeverTrained(const onnx::NodeProto &node) const {
    if (work.opset < 7 ||
        (node.output_size() > 1 && !node.output(1).empty() && !work.edit.readers(node.output(1)).empty()))
      return false;
    if (!isGiven(node, 2))
      return true;
    const onnx::TensorProto *training = work.edit.constant(node.input(2));
    return training && (training->has_raw_data() ? training->raw_data() == std::string(1, '\0')
                                                 : training->int32_data_size() == 1 && training->int32_data(0) == 0);
  }

  bool sameDims(StringRef a, StringRef b) const {
    std::optional<Dims> x = work.dims(a), y = work.dims(b);
    return x && y && *x == *y;
  }

  /// An operand beside a number that changes nothing. x + 0 is not x where that is -0.
  int neutral(const onnx::NodeProto &node, StringRef type) {
    bool commutes = type == "Mul" || type == "Add" || type == "And" || type == "Or";
    for (int i : {1, 0}) {
      if (i == 0 && !commutes)
        break;
      ElementType element = work.element(node.input(i));
      if (!sameDims(node.input(1 - i), node.output(0)))
        continue;
      if (type == "And" || type == "Or") {
        if (isAll(node.input(i), type == "And"))
          return 1 - i;
        continue;
      }
      std::optional<double> number = work.number(node.input(i));
      if (!number)
        continue;
      bool isNegativeZero = *number == 0 && std::signbit(*number);
      bool isNeutral = type == "Mul" || type == "Div" ? *number == 1
                       : *number != 0                 ? false
                       : isFloat(element)             ? (type == "Add") == isNegativeZero
                                                      : true;
      if (isNeutral)
        return 1 - i;
    }
    return -1;
  }

  bool isAll(StringRef value, bool wanted) const {
    const onnx::TensorProto *tensor = work.edit.constant(value);
    return tensor && tensor->has_raw_data() && !tensor->raw_data().empty() &&
           llvm::all_of(tensor->raw_data(), [&](char c) { return (c != 0) == wanted; });
  }

  bool goesForward(const onnx::NodeProto &node) const {
    if (!isGiven(node, 4))
      return true;
    auto steps = work.integers(node.input(4));
    return steps && llvm::all_of(*steps, [](int64_t step) { return step > 0; });
  }

  bool padsNothing(const onnx::NodeProto &node) const {
    auto isNothing = [](const auto &pads) { return llvm::all_of(pads, [](int64_t pad) { return pad == 0; }); };
    if (const onnx::AttributeProto *pads = attributeOf(node, "pads"))
      return isNothing(pads->ints());
    auto pads = node.input_size() > 1 ? work.integers(node.input(1)) : std::nullopt;
    return pads && isNothing(*pads);
  }

  Work &work;
};
} // namespace

int64_t dropIdentities(Work &work) { return IdentityDropper(work).run(); }

} // namespace sinter::simplify
