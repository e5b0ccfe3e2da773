// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Node IR -> tensor IR: the walk over nodes. The edges of the model (inputs, outputs, symbolic dims): convert_main.cpp.
#include "conversion.h"
#include "lowering.h"
#include "quantization.h"
#include "rule_check.h"
#include "runtime_sizes.h"
#include "size_relation.h"

using namespace mlir;

namespace sinter {

ModelPlace placeOf(NodeOp node) {
  ModelPlace place;
  if (auto name = dyn_cast<NameLoc>(node.getLoc()))
    place.node = name.getName().str();
  place.operatorName =
      (node.getDomain().empty() ? node.getOpType() : (node.getDomain() + "." + node.getOpType()).str()).str();
  auto module = node->getParentOfType<ModuleOp>();
  if (auto opsets = module ? module->getAttrOfType<DictionaryAttr>("sinter.opsets") : nullptr)
    if (auto version = opsets.getAs<IntegerAttr>(node.getDomain().empty() ? "ai.onnx" : node.getDomain()))
      place.opset = version.getInt();
  return place;
}

const Converted *Conversion::find(Value value) const {
  auto found = values.find(value);
  return found == values.end() ? nullptr : &found->second;
}

namespace {
/// A weight in storage form. Small ones become arith constants, which upstream folds into bodies and shapes.
Tensor convertWeight(WeightOp weight, OpBuilder &builder) {
  auto declared = cast<RankedTensorType>(weight.getType());
  ElementType element = elementTypeOf(declared.getElementType());
  auto type = RankedTensorType::get(declared.getShape(), storageType(element, builder.getContext()));
  constexpr int64_t smallBytes = 1024;
  auto dense = dyn_cast<DenseIntOrFPElementsAttr>(weight.getValue());
  bool packed = bitWidth(element) < 8 && element != ElementType::Bool;
  bool signlessOrFloat = isa<IntegerType, FloatType>(type.getElementType());
  if (dense && !packed && signlessOrFloat &&
      (dense.isSplat() || static_cast<int64_t>(dense.getRawData().size()) <= smallBytes)) {
    auto value = DenseElementsAttr::getFromRawBuffer(type, dense.getRawData());
    return {builder.create<arith::ConstantOp>(weight.getLoc(), type, value), element};
  }
  return {builder.create<WeightOp>(weight.getLoc(), type, weight.getValue(), weight.getNameAttr()), element};
}
} // namespace

LogicalResult Conversion::convertNodes(Block &block, OpBuilder &builder) {
  bool good = true;
  for (Operation *op = &block.front(); op && !op->hasTrait<OpTrait::IsTerminator>();) {
    // A node whose body is expanded is replaced by the nodes that follow here.
    Operation *before = op->getPrevNode();
    Operation *after = op->getNextNode();
    if (isa<AbsentOp>(op)) {
      bind(op->getResult(0), {{}, {}, false, true});
    } else if (auto weight = dyn_cast<WeightOp>(op)) {
      bind(weight, {convertWeight(weight, builder), {}, false, false});
    } else if (auto node = dyn_cast<NodeOp>(op)) {
      const Registry &registry = operatorRegistry();
      if (!registry.find(node.getDomain(), node.getOpType(), node.getSince()) && expandBody &&
          succeeded(expandBody(node, builder))) {
        op = before ? before->getNextNode() : &block.front();
        if (op != after)
          continue;
      } else {
        good &= succeeded(convertNode(node, builder));
      }
    }
    op = after;
  }
  return success(good);
}

LogicalResult Conversion::convertNode(NodeOp node, OpBuilder &builder) {
  for (Value result : node->getResults())
    forget(result); // of a body that is lowered again: what it was then may be gone
  for (Value input : node.getInputs())
    if (!find(input))
      return failure(); // its producer has been reported
  const RegisteredOperator *known = operatorRegistry().find(node.getDomain(), node.getOpType(), node.getSince());
  const OperatorSchema *schema = findSchema(node.getDomain(), node.getOpType(), node.getSince());
  auto takesAnyRank = [&](unsigned i) {
    const SchemaParameter *parameter = schema ? schema->input(i) : nullptr;
    return known && parameter && known->parsed.takesAnyRank(parameter->name);
  };
  for (auto [i, input] : llvm::enumerate(node.getInputs()))
    if (find(input)->choice && !takesAnyRank(i))
      return convertCases(node, builder, input);
  if (!known) {
    diagnostics.report({Code::UnsupportedOperator, "operator " + placeOf(node).operatorName + " is not supported",
                        placeOf(node), "`sinter ops` lists the supported operators and versions"});
    return failure();
  }
  Op op(*this, node, builder);
  if ((schema && failed(checkOperands(op, *schema))) || failed(checkQuantization(op)) ||
      (schema && failed(checkRule(op, known->parsed, *schema))))
    return failure();
  size_t reported = diagnostics.all().size();
  std::optional<LogicalResult> moved = moveQuantized(op, known->lowering);
  if (succeeded(moved ? *moved : known->lowering(op)))
    return success(succeeded(checkMade(node)) && succeeded(checkSizes(op)) &&
                   (!schema || succeeded(checkResults(op, *schema))));
  if (diagnostics.all().size() == reported)
    (void)op.unsupported("this form of the operator is not supported");
  return failure();
}

/// A result that is read must be there: versions and attributes decide which there are.
LogicalResult Conversion::checkMade(NodeOp node) const {
  for (OpResult result : node->getResults())
    if (!result.use_empty() && !find(result)) {
      diagnostics.report({Code::UnsupportedForm,
                          "output " + std::to_string(result.getResultNumber()) +
                              " is read, which the operator does not make with these attributes",
                          placeOf(node), ""});
      return failure();
    }
  return success();
}

/// A size of run time that may come out below zero ends the call before it counts elements.
static LogicalResult requireSizes(const Op &op, Tensor made) {
  return success(llvm::all_of(op.sizes(made), [&](Size size) {
    return certainlyNonNegative(size) ||
           succeeded(mustHold(op, relationHolds(op, ">=", size, sizeOf(op.b, 0)), "a size of the result is negative"));
  }));
}

/// Sizes are computed in 64 bits everywhere behind this; a constant can ask for more. (Symbolic dims have bounds of
/// their own.)
LogicalResult Conversion::checkSizes(const Op &op) const {
  NodeOp node = op.node;
  bool good = true;
  for (OpResult result : node->getResults()) {
    const Converted *converted = find(result);
    if (converted && converted->tensor.value && failed(requireSizes(op, converted->tensor)))
      return failure();
    auto type = converted && converted->tensor.value ? dyn_cast<RankedTensorType>(converted->tensor.value.getType())
                                                     : RankedTensorType();
    int64_t elements = 1; // and no more bytes
    for (int64_t dim : type ? type.getShape() : ArrayRef<int64_t>())
      if (!ShapedType::isDynamic(dim))
        elements = dim == 0 || elements <= mostElements / dim ? elements * dim : mostElements + 1;
    unsigned bits = type && type.getElementType().isIntOrFloat() ? type.getElementTypeBitWidth() : 8;
    bool isLarge = elements > mostElements;
    if (!isLarge && elements * std::max(bits / 8, 1u) <= mostElements)
      continue;
    good = false;
    diagnostics.report({Code::TooManyElements,
                        "output " + std::to_string(result.getResultNumber()) + " has more than " +
                            std::to_string(mostElements) + (isLarge ? " elements" : " bytes"),
                        placeOf(node), ""});
  }
  return success(good);
}

LogicalResult Conversion::spend(NodeOp node, uint64_t count) {
  if (count <= mostUnrolled - unrolled) {
    unrolled += count;
    return success();
  }
  diagnostics.report({Code::TooManyNodes,
                      "sequences and bodies that are unrolled have more than " + std::to_string(mostUnrolled) +
                          " elements and nodes (--expand-limit)",
                      placeOf(node), ""});
  return failure();
}

FailureOr<Converted> Conversion::take(NodeOp node, unsigned i) {
  Value operand = node.getInputs()[i];
  Converted &source = values.find(operand)->second;
  if (source.elements.empty())
    return source;
  // A body is lowered again for each iteration, what it reads from outside is not.
  if (operand.hasOneUse() && operand.getParentBlock() == node->getBlock())
    return std::move(source);
  constexpr uint64_t copiesPerNode = 8; // an element is less than a node
  if (failed(spend(node, source.elements.size() / copiesPerNode)))
    return failure();
  return source;
}

FailureOr<SmallVector<Converted>> Conversion::convertRegion(Region &region, ArrayRef<Converted> arguments,
                                                            OpBuilder &builder) {
  Block &block = region.front();
  if (!convertedRegions.insert(&region).second &&
      failed(spend(cast<NodeOp>(region.getParentOp()), block.getOperations().size())))
    return failure();
  for (auto [argument, converted] : llvm::zip(block.getArguments(), arguments)) {
    auto declared = dyn_cast<TensorType>(argument.getType());
    ElementType element = declared ? elementTypeOf(declared.getElementType()) : ElementType::Undefined;
    if (element != ElementType::Undefined && converted.tensor && converted.tensor.element != element) {
      diagnostics.report(
          {Code::WrongOperandType,
           ("input " + Twine(argument.getArgNumber()) + " of the subgraph is a tensor(" + elementTypeName(element) +
            ") and gets a tensor(" + elementTypeName(converted.tensor.element) + ")")
               .str(),
           placeOf(cast<NodeOp>(region.getParentOp())), ""});
      return failure();
    }
    bind(argument, converted);
  }
  if (failed(convertNodes(block, builder)))
    return failure();
  SmallVector<Converted> yielded;
  for (Value value : block.getTerminator()->getOperands()) {
    const Converted *converted = find(value);
    if (!converted)
      return failure();
    yielded.push_back(*converted);
  }
  return yielded;
}

} // namespace sinter
