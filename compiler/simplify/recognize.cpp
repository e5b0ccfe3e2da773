// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Norms, attention and Gelu are found by the passes on node IR that the compiler has for them; what they make is
// written as the standard operator, in the place of the last node of what it was made of. HardSwish is no operator that
// the compiler would gain by, and is matched here.
#include "simplify/recognize.h"

#include "graph/passes.h"
#include "ir/dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cmath>

using namespace llvm;

namespace sinter::simplify {
namespace {

void setFloat(onnx::NodeProto &node, StringRef name, double value) {
  onnx::AttributeProto *attribute = node.add_attribute();
  attribute->set_name(name.str());
  attribute->set_type(onnx::AttributeProto::FLOAT);
  attribute->set_f(static_cast<float>(value));
}

/// The name that a value of node IR has in the model; empty: none, or it is absent.
std::string nameOfValue(mlir::Value value) {
  if (auto argument = dyn_cast<mlir::BlockArgument>(value)) {
    auto function = cast<mlir::func::FuncOp>(argument.getOwner()->getParentOp());
    auto name = function.getArgAttrOfType<mlir::StringAttr>(argument.getArgNumber(), "sinter.name");
    return name ? name.str() : "";
  }
  auto result = cast<mlir::OpResult>(value);
  if (auto weight = dyn_cast<WeightOp>(result.getOwner()))
    return weight.getName().value_or("").str();
  auto node = dyn_cast<NodeOp>(result.getOwner());
  mlir::ArrayAttr names = node ? node.getOutputNamesAttr() : mlir::ArrayAttr();
  return names ? cast<mlir::StringAttr>(names[result.getResultNumber()]).str() : "";
}

class Recognizer {
public:
  explicit Recognizer(Work &work) : work(work) {}

  /// Of a node that a pass made; none where the opset has no such operator, or it takes no such operands.
  std::optional<onnx::NodeProto> standardOf(NodeOp fused) {
    bool isFused = fused.getDomain() == "sinter", isGelu = fused.getDomain().empty() && fused.getOpType() == "Gelu";
    if (!isFused && !isGelu)
      return std::nullopt;
    std::vector<std::string> operands;
    for (mlir::Value value : fused.getInputs())
      operands.push_back(nameOfValue(value));
    std::string y = nameOfValue(fused->getResult(0));
    if (isGelu) {
      int before = work.edit.maker(y);
      bool isNew = before >= 0 && isStandard(work.edit.node(before), "Mul");
      return isNew && work.opset >= 20 ? std::optional(replacing(work.edit.node(before), "Gelu", operands[0]))
                                       : std::nullopt;
    }
    if (fused.getOpType() == "FusedNormalization")
      return normOf(fused, operands, y);
    if (fused.getOpType() == "FusedAttention")
      return attentionOf(fused, operands, y);
    return std::nullopt;
  }

  int64_t activations() {
    int64_t found = 0;
    for (onnx::NodeProto &node : *work.edit.graph.mutable_node())
      found += work.opset >= 14 && matchHardSwish(node);
    return found;
  }

  /// Nodes that stand before others.
  std::vector<std::pair<std::string, onnx::NodeProto>> inFront;

private:
  std::optional<onnx::NodeProto> normOf(NodeOp fused, const std::vector<std::string> &operands, const std::string &y) {
    bool centered = cast<mlir::IntegerAttr>(fused.getAttrs().get("centered")).getInt() != 0;
    auto x = work.dims(operands[0]);
    if (work.opset < (centered ? 17 : 23) || !x || x->empty())
      return std::nullopt;
    for (size_t i = 1; i < operands.size(); ++i)
      if (auto dims = work.dims(operands[i]); !dims || dims->size() != 1 || !((*dims)[0] == x->back()) ||
                                              work.element(operands[i]) != work.element(operands[0]))
        return std::nullopt;
    onnx::NodeProto node = quantize::makeNode(centered ? "LayerNormalization" : "RMSNormalization", operands, {y},
                                              work.edit.freshName(y + "_norm"));
    quantize::setInteger(node, "axis", -1);
    setFloat(node, "epsilon", cast<mlir::FloatAttr>(fused.getAttrs().get("epsilon")).getValueAsDouble());
    return node;
  }

  std::optional<onnx::NodeProto> attentionOf(NodeOp fused, std::vector<std::string> operands, const std::string &y) {
    constexpr size_t rank = 4;
    bool guardsRows = cast<mlir::IntegerAttr>(fused.getAttrs().get("zero_masked_rows")).getInt() != 0;
    auto q = work.dims(operands[0]), k = work.dims(operands[1]), v = work.dims(operands[2]);
    if (work.opset < 23 || guardsRows || !q || !k || !v || q->size() != rank || k->size() != rank || v->size() != rank)
      return std::nullopt;
    for (size_t d : {size_t(0), size_t(1)}) // neither batches nor heads are spread
      if (!((*q)[d] == (*k)[d]) || !((*q)[d] == (*v)[d]))
        return std::nullopt;
    if (!operands[3].empty()) {
      auto mask = work.dims(operands[3]);
      if (!mask || mask->size() < 2 || mask->size() > rank || !((*mask)[mask->size() - 2] == (*q)[2]) ||
          !(mask->back() == k->back()) || work.element(operands[3]) != work.element(operands[0]))
        return std::nullopt;
    }
    // Keys have their last dims the other way.
    std::vector<int64_t> order = {0, 1, 3, 2};
    std::string keys = operands[1];
    if (const onnx::NodeProto *transpose = work.makerOf(keys, "Transpose"))
      if (const onnx::AttributeProto *perm = attributeOf(*transpose, "perm")) {
        keys = transpose->input(0);
        for (int64_t &dim : order)
          dim = perm->ints(static_cast<int>(dim));
      }
    if (!llvm::is_sorted(order)) {
      std::string turned = work.edit.freshName(operands[1] + "_keys");
      onnx::NodeProto transpose = quantize::makeNode("Transpose", {keys}, {turned}, turned);
      setIntegerList(transpose, "perm", order);
      inFront.push_back({y, transpose});
      keys = turned;
    }
    operands[1] = keys;
    if (operands[3].empty())
      operands.pop_back();
    onnx::NodeProto node = quantize::makeNode("Attention", operands, {y}, work.edit.freshName(y + "_attention"));
    setFloat(node, "scale", cast<mlir::FloatAttr>(fused.getAttrs().get("scale")).getValueAsDouble());
    return node;
  }

  /// The node of this type that makes an operand of `node` which nothing else reads, and the other operand.
  std::optional<std::pair<onnx::NodeProto *, std::string>> operandBy(const onnx::NodeProto &node, StringRef type) {
    for (int i = 0; i < node.input_size() && node.input_size() == 2; ++i)
      if (onnx::NodeProto *maker = work.makerOf(node.input(i), type); maker && work.hasOneReader(node.input(i)))
        return std::pair(maker, node.input(1 - i));
    return std::nullopt;
  }

  /// The operand beside a number that is about `value`.
  std::optional<std::string> besideNumber(const onnx::NodeProto &node, double value, bool isSecond = false) {
    for (int i : {1, 0}) {
      if (node.input_size() != 2 || (i == 0 && isSecond))
        break;
      std::optional<double> number = work.number(node.input(i));
      auto own = work.dims(node.input(i)), result = work.dims(node.output(0)), other = work.dims(node.input(1 - i));
      if (number && std::abs(*number - value) <= 1e-3 * std::abs(value) && own && result && other && *result == *other)
        return node.input(1 - i);
    }
    return std::nullopt;
  }

  /// In the place of `node`, under its name.
  static onnx::NodeProto replacing(const onnx::NodeProto &node, StringRef type, const std::string &x) {
    onnx::NodeProto made = quantize::makeNode(type, {x}, {node.output(0)}, node.name());
    made.set_doc_string(node.doc_string());
    return made;
  }

  /// Clip(x + 3, 0, 6): x.
  std::optional<std::string> clipped(const onnx::NodeProto &clip) {
    if (clip.input_size() != 3 || work.number(clip.input(1)) != 0.0 || work.number(clip.input(2)) != 6.0 ||
        !work.hasOneReader(clip.input(0)))
      return std::nullopt;
    const onnx::NodeProto *sum = work.makerOf(clip.input(0), "Add");
    return sum ? besideNumber(*sum, 3) : std::nullopt;
  }

  /// x HardSigmoid(x) with 1/6 and 1/2; x Clip(x + 3, 0, 6) / 6, in whichever order.
  bool matchHardSwish(onnx::NodeProto &node) {
    if (isStandard(node, "Mul")) {
      if (auto gate = operandBy(node, "HardSigmoid")) {
        float alpha = quantize::floatOf(*gate->first, "alpha", 0.2f),
              beta = quantize::floatOf(*gate->first, "beta", 0.5f);
        if (std::abs(alpha - 1.0f / 6) > 1e-5f || beta != 0.5f || gate->first->input(0) != gate->second)
          return false;
        node = replacing(node, "HardSwish", gate->second);
        return true;
      }
      if (auto quotient = operandBy(node, "Div")) {
        std::optional<std::string> clip = besideNumber(*quotient->first, 6, true);
        return clip && work.hasOneReader(*clip) && becomesHardSwish(node, *clip, quotient->second);
      }
      return false;
    }
    if (!isStandard(node, "Div"))
      return false;
    std::optional<std::string> product = besideNumber(node, 6, true);
    const onnx::NodeProto *mul = product && work.hasOneReader(*product) ? work.makerOf(*product, "Mul") : nullptr;
    auto clip = mul ? operandBy(*mul, "Clip") : std::nullopt;
    return clip && becomesHardSwish(node, clip->first->output(0), clip->second);
  }

  bool becomesHardSwish(onnx::NodeProto &node, StringRef clip, const std::string &x) {
    const onnx::NodeProto *maker = work.makerOf(clip, "Clip");
    if (!maker || clipped(*maker) != x)
      return false;
    node = replacing(node, "HardSwish", x);
    return true;
  }

  Work &work;
};
} // namespace

int64_t recognizeOperators(Work &work, const LearnOptions &learning) {
  Recognizer recognizer(work);
  int64_t found = recognizer.activations() + recognizeGroupNorms(work);
  work.settle();
  std::string problem;
  std::optional<KnownNodes> known = importKnown(work.model, learning, problem);
  if (!known || !known->module || failed(recognizeAttention(*known->module)) ||
      failed(recognizeNorms(*known->module)) || failed(recognizeGelu(*known->module)))
    return found;
  StringMap<onnx::NodeProto> made;
  auto function = *known->module->getOps<mlir::func::FuncOp>().begin();
  for (mlir::Operation &op : function.getBody().front())
    if (auto node = dyn_cast<NodeOp>(op))
      if (std::optional<onnx::NodeProto> standard = recognizer.standardOf(node))
        made[standard->output(0)] = std::move(*standard);
  std::vector<onnx::NodeProto> nodes;
  for (onnx::NodeProto &node : *work.edit.graph.mutable_node()) {
    auto replacement = node.output_size() == 1 ? made.find(node.output(0)) : made.end();
    if (replacement == made.end()) {
      nodes.push_back(std::move(node));
      continue;
    }
    for (auto &[output, before] : recognizer.inFront)
      if (output == replacement->getKey())
        nodes.push_back(std::move(before));
    nodes.push_back(std::move(replacement->second));
    ++found;
  }
  work.edit.setNodes(std::move(nodes));
  work.settle();
  return found;
}

} // namespace sinter::simplify
