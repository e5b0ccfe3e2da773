// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands that hold zeros only, known or made by nodes that spread and reshape zeros: a state that a recurrent node
// begins with by itself, and terms of a sum. x + 0 differs from x in the sign of a zero, and is left alone with
// --exact.
#include "simplify/work.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

/// Positive zeros: no bit is set.
bool hasNoBit(StringRef bytes) {
  return llvm::all_of(bytes, [](char c) { return c == 0; });
}

class ZeroDropper {
public:
  explicit ZeroDropper(Work &work) : work(work) {}

  int64_t run() {
    int64_t dropped = 0;
    for (onnx::NodeProto &node : *work.edit.graph.mutable_node()) {
      if (isStandard(node, "RNN") || isStandard(node, "GRU") || isStandard(node, "LSTM"))
        dropped += dropStates(node);
      else if (!work.options.exact && (isStandard(node, "Add") || isStandard(node, "Sub")) && work.opset >= 7)
        dropped += dropTerm(node);
    }
    return dropped;
  }

private:
  int64_t dropStates(onnx::NodeProto &node) const {
    int64_t dropped = 0;
    constexpr int hidden = 5, cell = 6;
    for (int i : {hidden, cell})
      if (i < node.input_size() && !node.input(i).empty() && isZero(node.input(i))) {
        node.set_input(i, "");
        ++dropped;
      }
    while (dropped && node.input(node.input_size() - 1).empty())
      node.mutable_input()->RemoveLast();
    return dropped;
  }

  bool dropTerm(const onnx::NodeProto &sum) {
    for (int zero : {1, 0}) {
      if (zero == 0 && isStandard(sum, "Sub"))
        break;
      auto kept = work.dims(sum.input(1 - zero)), result = work.dims(sum.output(0));
      if (kept && result && *kept == *result && isZero(sum.input(zero)))
        return work.replace(sum.output(0), sum.input(1 - zero));
    }
    return false;
  }

  bool isZero(StringRef value) const {
    constexpr int mostNodes = 64; // that spread a zero one behind another; a longer chain is left as it is
    return isZero(value, mostNodes);
  }

  bool isZero(StringRef value, int nodesLeft) const {
    if (const onnx::TensorProto *tensor = work.edit.constant(value)) {
      if (tensor->data_type() == onnx::TensorProto::STRING)
        return false;
      std::optional<StringRef> bytes = work.edit.bytes(*tensor);
      if (bytes)
        return hasNoBit(*bytes);
      std::optional<double> number = work.number(value);
      return number && *number == 0 && !std::signbit(*number);
    }
    const ValueFact *fact = work.facts.find(value);
    if (fact && fact->contents && fact->element != ElementType::String)
      return hasNoBit({fact->contents->storedBytes(),
                       fact->contents->isSplat() ? fact->contents->bytesPerElement() : fact->contents->sizeInBytes()});
    int maker = work.edit.maker(value);
    return maker >= 0 && nodesLeft > 0 && makesZeros(work.edit.node(maker), nodesLeft - 1);
  }

  bool makesZeros(const onnx::NodeProto &node, int nodesLeft) const {
    StringRef type = node.op_type();
    if (!isStandard(node, type))
      return false;
    if (type == "ConstantOfShape") {
      const onnx::AttributeProto *value = attributeOf(node, "value");
      return !value || (value->t().has_raw_data() ? hasNoBit(value->t().raw_data())
                                                  : quantize::integersOf(value->t()) == std::vector<int64_t>{0});
    }
    if (type == "Concat")
      return llvm::all_of(node.input(), [&](const std::string &part) { return isZero(part, nodesLeft); });
    static constexpr StringRef spreading[] = {"Expand", "Flatten", "Gather", "Identity",  "Reshape",
                                              "Slice",  "Squeeze", "Tile",   "Transpose", "Unsqueeze"};
    return is_contained(spreading, type) && isZero(node.input(0), nodesLeft);
  }

  Work &work;
};
} // namespace

int64_t dropZeros(Work &work) { return ZeroDropper(work).run(); }

} // namespace sinter::simplify
