// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form_nodes.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace sinter {

namespace {
Operation *createNode(OpBuilder &builder, Location loc, NodeKind kind, ArrayRef<Value> operands, TypeRange types,
                      ArrayAttr names, ArrayRef<NamedAttribute> attributes) {
  OperationState state(loc, NodeOp::getOperationName());
  state.addOperands(operands);
  state.addTypes(types);
  NodeOp::Properties &properties = state.getOrAddProperties<NodeOp::Properties>();
  properties.op_type = builder.getStringAttr(kind.type);
  properties.domain = builder.getStringAttr(kind.domain);
  properties.since = builder.getI64IntegerAttr(kind.since);
  properties.attrs = builder.getDictionaryAttr(attributes);
  properties.output_names = names;
  return builder.create(state);
}
} // namespace

void replaceNode(NodeOp node, NodeKind kind, Location loc, ArrayRef<Value> operands,
                 ArrayRef<NamedAttribute> attributes) {
  OpBuilder builder(node);
  node->replaceAllUsesWith(
      createNode(builder, loc, kind, operands, node->getResultTypes(), node.getOutputNamesAttr(), attributes));
  node->erase();
}

Value FormNodes::node(StringRef opType, int64_t since, ArrayRef<Value> operands, ArrayRef<Type> types,
                      ArrayRef<NamedAttribute> attributes) {
  SmallVector<Attribute> names(types.size(), builder.getStringAttr(""));
  return createNode(builder, loc, {"", opType, since}, operands, types, builder.getArrayAttr(names), attributes)
      ->getResult(0);
}

NamedAttribute FormNodes::number(StringRef name, int64_t value) {
  return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
}

NamedAttribute FormNodes::numbers(StringRef name, ArrayRef<int64_t> values) {
  return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
}

Value FormNodes::floats(ArrayRef<double> values, int64_t dim, int64_t rank) {
  SmallVector<int64_t> shape;
  if (values.size() > 1) {
    shape.assign(static_cast<size_t>(rank), 1);
    shape[static_cast<size_t>(dim)] = static_cast<int64_t>(values.size());
  }
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  SmallVector<float> numbers(values.begin(), values.end());
  return builder.create<WeightOp>(loc, type, DenseElementsAttr::get(type, ArrayRef<float>(numbers)), StringAttr());
}

Value FormNodes::integers(ArrayRef<int64_t> values, ElementType element, bool isScalar) {
  Type elementType = nodeType(element, builder.getContext());
  SmallVector<int64_t> shape;
  if (!isScalar)
    shape.push_back(static_cast<int64_t>(values.size()));
  auto type = RankedTensorType::get(shape, elementType);
  SmallVector<APInt> numbers;
  for (int64_t value : values)
    numbers.emplace_back(elementType.getIntOrFloatBitWidth(), static_cast<uint64_t>(value), /*isSigned=*/true);
  return builder.create<WeightOp>(loc, type, DenseElementsAttr::get(type, ArrayRef<APInt>(numbers)), StringAttr());
}

Value FormNodes::transpose(Value value, ArrayRef<int64_t> order) {
  Type type = value.getType();
  if (auto ranked = dyn_cast<RankedTensorType>(type)) {
    SmallVector<int64_t> shape;
    for (int64_t dim : order)
      shape.push_back(ranked.getDimSize(dim));
    type = RankedTensorType::get(shape, ranked.getElementType());
  }
  return node("Transpose", 13, value, type, numbers("perm", order));
}

Value FormNodes::gather(Value value, ArrayRef<int64_t> indices, int64_t axis) {
  return node("Gather", 13, {value, integers(indices, ElementType::Int64)}, value.getType(), number("axis", axis));
}

} // namespace sinter
