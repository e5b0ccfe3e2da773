// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "linear_product.h"

#include "graph/form_nodes.h"
#include "graph/node_match.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr StringRef weightsAttribute = "sinter.adapter_weights";

Value matrixConstant(OpBuilder &builder, Type element, const AdapterMatrix &matrix) {
  auto type = RankedTensorType::get({matrix.rows, matrix.columns}, element);
  HostTensor tensor = HostTensor::allocate(storageType(elementTypeOf(element), builder.getContext()), type.getShape());
  findConversion(ElementKind::F64, tensor.kind(), true)(reinterpret_cast<const char *>(matrix.numbers.data()),
                                                        tensor.mutableBytes(), tensor.size());
  return builder.create<WeightOp>(builder.getUnknownLoc(), type, cast<ElementsAttr>(toAttribute(tensor, type)),
                                  StringAttr());
}

BlockArgument weightsOf(func::FuncOp main) {
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (main.getArgAttr(i, weightsAttribute))
      return main.getArgument(i);
  return {};
}

/// The weight of one adapter, as float[1] of this type.
Value switchedWeight(NodeOp node, Type element, const AdapterSwitch &switched) {
  auto main = node->getParentOfType<func::FuncOp>();
  OpBuilder builder(node->getContext());
  builder.setInsertionPointToStart(&main.getBody().front());
  FormNodes nodes(builder, node.getLoc());
  Value weight = nodes.gather(weightsOf(main), {switched.index}, 0);
  weight.getDefiningOp()->setAttr(adapterNode, builder.getUnitAttr());
  if (element.isF32())
    return weight;
  return nodes.node("Cast", 13, weight, RankedTensorType::get({1}, element),
                    nodes.number("to", static_cast<int64_t>(elementTypeOf(element))));
}

} // namespace

std::optional<LinearProduct> linearProductOf(const WeightSite &site) {
  auto typeOf = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && isa<FloatType>(type.getElementType()) ? type.getElementType() : Type();
  };
  NodeOp node = site.node;
  if (node.getOpType() == "MatMulNBits") {
    std::optional<int64_t> inputs = integerAttribute(node, "K"), outputs = integerAttribute(node, "N");
    Type type = typeOf(node.getInputs()[2]);
    return type && inputs && outputs ? std::optional(LinearProduct{node, type, *inputs, *outputs}) : std::nullopt;
  }
  if ((node.getOpType() != "MatMul" && node.getOpType() != "Gemm") || integerAttribute(node, "transA").value_or(0))
    return std::nullopt;
  auto madeOf = [&](RankedTensorType shape, Type type) -> std::optional<LinearProduct> {
    if (!type || !shape || shape.getRank() != 2 || !shape.hasStaticShape())
      return std::nullopt;
    int64_t first = shape.getDimSize(0), second = shape.getDimSize(1);
    return site.isOutputsFirst ? LinearProduct{node, type, second, first} : LinearProduct{node, type, first, second};
  };
  if (WeightOp weight = site.weight())
    return madeOf(dyn_cast<RankedTensorType>(weight.getType()), typeOf(weight.getResult()));
  Value value = node.getInputs()[1];
  while (auto before = value.getDefiningOp<NodeOp>()) {
    if (before.getOpType() == "DequantizeLinear")
      return madeOf(dyn_cast<RankedTensorType>(before.getInputs()[0].getType()), typeOf(before.getInputs()[1]));
    if (before.getOpType() != "Transpose" && before.getOpType() != "Identity")
      return std::nullopt;
    value = before.getInputs()[0];
  }
  return std::nullopt;
}

void addBesideProduct(const LinearProduct &product, const AdapterMatrix &a, const AdapterMatrix &b,
                      const std::optional<AdapterSwitch> &switched) {
  NodeOp node = product.node;
  OpBuilder builder(node->getContext());
  builder.setInsertionPointAfter(node);
  FormNodes nodes(builder, node.getLoc());
  Value whole = node->getResult(0);
  Type any = AnyType::get(node->getContext());
  auto times = [&](Value value, const AdapterMatrix &matrix) {
    Value made = nodes.node("MatMul", 13, {value, matrixConstant(builder, product.element, matrix)}, any);
    made.getDefiningOp()->setAttr(adapterNode, builder.getUnitAttr());
    return made;
  };
  Value narrow = times(node.getInputs()[0], a);
  if (switched)
    narrow = nodes.node("Mul", 14, {narrow, switchedWeight(node, product.element, *switched)}, any);
  Value beside = times(narrow, b);
  Value sum = nodes.node("Add", 14, {whole, beside}, whole.getType());
  whole.replaceAllUsesExcept(sum, sum.getDefiningOp());
}

bool addAdapterWeights(ModuleOp module, int64_t count) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (weightsOf(main))
    return true;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (auto name = main.getArgAttrOfType<StringAttr>(i, "sinter.name"); name && name.getValue() == adapterWeights)
      return false;
  Builder builder(module.getContext());
  NamedAttrList attributes;
  attributes.set("sinter.name", builder.getStringAttr(adapterWeights));
  attributes.set("sinter.dims", builder.getStrArrayAttr({""}));
  attributes.set(weightsAttribute, builder.getUnitAttr());
  (void)main.insertArgument(main.getNumArguments(), RankedTensorType::get({count}, builder.getF32Type()),
                            attributes.getDictionary(module.getContext()),
                            NameLoc::get(builder.getStringAttr(adapterWeights)));
  return true;
}

} // namespace sinter
