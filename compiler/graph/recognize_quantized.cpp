// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DequantizeLinear, AveragePool, GlobalAveragePool, Softmax, Add or Mul, QuantizeLinear is the quantized operator of
// com.microsoft, as onnxruntime has it, whose rounding is not the sum of the three's (ops/onnx/contrib_qlinear.cpp,
// qlinear_arithmetic.cpp): quantized nets agree with it value for value. What else stands between Q and DQ rounds as if
// the three were one anyway.
//
// Preconditions: one scale and one zero point for each operand and the result, constant, 8 bits of the same signedness;
// nothing else reads the operator's result.
#include "passes.h"

#include "form_nodes.h"
#include "node_match.h"

using namespace mlir;

namespace sinter {
namespace {

/// The element type of a weight that is one number.
Type singleType(Value value) {
  while (NodeOp identity = producer(value, "Identity"))
    value = identity.getInputs()[0];
  auto weight = value.getDefiningOp<WeightOp>();
  auto type = weight ? cast<ShapedType>(weight.getType()) : ShapedType();
  return type && type.getNumElements() == 1 ? type.getElementType() : Type();
}

/// The 8-bit type of a node that quantizes or dequantizes a whole tensor with constants.
Type wholeTensorType(NodeOp node) {
  if (node.getInputs().size() < 3 || !singleType(node.getInputs()[1]))
    return {};
  Type zero = singleType(node.getInputs()[2]);
  return zero && zero.isInteger(8) ? zero : Type();
}

/// The operator that makes what `quantize` reads.
NodeOp middleOf(NodeOp quantize) {
  for (StringRef opType : {"AveragePool", "GlobalAveragePool", "Softmax", "Add", "Mul"})
    if (NodeOp middle = soleProducer(quantize.getInputs()[0], opType))
      return middle;
  return {};
}

/// The quantized operator's own attributes beside those of the operator.
SmallVector<NamedAttribute> attributesOf(NodeOp middle, OpBuilder &b) {
  SmallVector<NamedAttribute> attributes(middle.getAttrs().getValue());
  if (middle.getOpType() == "Softmax")
    attributes.push_back(b.getNamedAttr("opset", b.getI64IntegerAttr(middle.getSince())));
  if (middle.getOpType() == "Add") // between Q and DQ onnxruntime computes with unsigned bytes
    attributes.push_back(b.getNamedAttr("unsigned", b.getI64IntegerAttr(1)));
  return attributes;
}

void recognizeQuantization(NodeOp quantize) {
  NodeOp middle = middleOf(quantize);
  Type type = wholeTensorType(quantize);
  if (!middle || !type)
    return;
  SmallVector<NodeOp> dequantizes;
  SmallVector<Value> operands;
  for (Value input : middle.getInputs()) {
    NodeOp dequantize = producer(input, "DequantizeLinear");
    if (!dequantize || type != wholeTensorType(dequantize))
      return;
    dequantizes.push_back(dequantize);
    llvm::append_range(operands, dequantize.getInputs().take_front(3));
  }
  llvm::append_range(operands, quantize.getInputs().slice(1, 2));

  OpBuilder b(quantize);
  std::string type8 = ("QLinear" + middle.getOpType()).str();
  replaceNode(quantize, {"com.microsoft", type8, 1}, b.getFusedLoc({middle.getLoc(), quantize.getLoc()}), operands,
              attributesOf(middle, b));
  middle->erase();
  for (size_t i = 0; i < dequantizes.size(); ++i)
    if (!llvm::is_contained(ArrayRef(dequantizes).take_front(i), dequantizes[i]) && dequantizes[i]->use_empty())
      dequantizes[i]->erase();
}

} // namespace

LogicalResult recognizeQuantized(ModuleOp module) {
  SmallVector<NodeOp> nodes;
  module.walk([&](NodeOp node) {
    if (node.getOpType() == "QuantizeLinear" && node.getDomain().empty())
      nodes.push_back(node);
  });
  for (NodeOp node : nodes)
    recognizeQuantization(node);
  return success();
}

} // namespace sinter
