// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// QuantizeLinear moves up through operators that move elements or pick the largest, towards what computes them:
// Q(Reshape(x)) = Reshape(Q(x)). What is moved is integers then, and the quantization may become part of what makes its
// operand (fuse-quantized). Parts of a concatenation are quantized each, which is a rescaling where they were
// quantized differently, and nothing where not (ops/onnx/quantize_linear.cpp).
//
// Preconditions: one scale and zero point for the whole tensor, 8 or 16 bits, which the operator takes in its version;
// nobody else reads what is quantized; some node computes it: an input that is turned and quantized is one loop nest as
// it is, which goes row by row with what reads it (tile-rows).
#include "passes.h"

#include "frontend/schema.h"
#include "ir/element_type.h"
#include "node_match.h"

using namespace mlir;

namespace sinter {
namespace {

/// How many of a node's operands hold the elements that its result has; 0: it computes.
size_t movedOperands(NodeOp node) {
  if (!node || !node.getDomain().empty() || node->getNumResults() != 1)
    return 0;
  StringRef name = node.getOpType();
  if (name == "Concat")
    return node.getInputs().size();
  if (name == "Resize") {
    auto mode = node.getAttrs().getAs<StringAttr>("mode");
    auto place = node.getAttrs().getAs<StringAttr>("coordinate_transformation_mode");
    return (!mode || mode.getValue() == "nearest") && (!place || place.getValue() != "tf_crop_and_resize");
  }
  return llvm::is_contained({"Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "DepthToSpace",
                             "SpaceToDepth", "MaxPool"},
                            name);
}

/// Whether a node that does not only move makes some of the value's elements.
bool isComputed(Value value) {
  auto node = value.getDefiningOp<NodeOp>();
  size_t moved = movedOperands(node);
  return node &&
         (!moved || node.getOpType() == "MaxPool" || llvm::any_of(node.getInputs().take_front(moved), isComputed));
}

bool isOne(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 1;
}

/// The integers that a node quantizes a whole tensor to.
Type quantizedType(NodeOp quantize) {
  OperandRange operands = quantize.getInputs();
  if (quantize.getOpType() != "QuantizeLinear" || !quantize.getDomain().empty() || !isOne(operands[1]) ||
      operands.size() < 3 || !isOne(operands[2]) || integerAttribute(quantize, "block_size").value_or(0))
    return {};
  Type type = cast<RankedTensorType>(operands[2].getType()).getElementType();
  return type.isInteger(8) || type.isInteger(16) ? type : Type();
}

/// Whether the operator, in the version that the node has, moves such elements: MaxPool does not move all integers.
bool takes(NodeOp node, Type element) {
  const OperatorSchema *schema = findSchema(node.getDomain(), node.getOpType(), node.getSince());
  const SchemaConstraint *constraint = schema ? schema->constraint(schema->input(0)->type) : nullptr;
  return constraint && constraint->allows(("tensor(" + elementTypeName(elementTypeOf(element)) + ")").str());
}

Type withElements(Type type, Type element) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked ? Type(ranked.clone(element)) : type;
}

NodeOp copied(OpBuilder &b, NodeOp node, ValueRange operands, Type result) {
  OperationState state(node.getLoc(), NodeOp::getOperationName());
  state.addOperands(operands);
  state.addTypes(result);
  state.getOrAddProperties<NodeOp::Properties>() = node.getProperties();
  return cast<NodeOp>(b.create(state));
}

/// Moves it up by one node; the quantizations there are now.
SmallVector<NodeOp> raise(NodeOp quantize) {
  Type element = quantizedType(quantize);
  auto move = quantize.getInputs()[0].getDefiningOp<NodeOp>();
  size_t moved = movedOperands(move);
  if (!element || !moved || !takes(move, element) || !quantize.getInputs()[0].hasOneUse() ||
      !isComputed(quantize.getInputs()[0]))
    return {};
  OpBuilder b(quantize);
  SmallVector<NodeOp> raised;
  SmallVector<Value> operands(move.getInputs());
  for (size_t i = 0; i < moved; ++i) {
    SmallVector<Value> parameters(quantize.getInputs());
    parameters[0] = operands[i];
    raised.push_back(copied(b, quantize, parameters, withElements(operands[i].getType(), element)));
    raised.back()->removeAttr(raised.back().getOutputNamesAttrName()); // it is no value of the model
    operands[i] = raised.back()->getResult(0);
  }
  NodeOp result = copied(b, move, operands, quantize->getResult(0).getType());
  result.setOutputNamesAttr(quantize.getOutputNamesAttr());
  quantize->replaceAllUsesWith(result);
  quantize->erase();
  move->erase();
  return raised;
}

} // namespace

LogicalResult raiseQuantizations(ModuleOp module) {
  SmallVector<NodeOp> nodes;
  module.walk([&](NodeOp node) {
    if (node.getOpType() == "QuantizeLinear")
      nodes.push_back(node);
  });
  while (!nodes.empty())
    nodes.append(raise(nodes.pop_back_val()));
  return success();
}

} // namespace sinter
