// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes that hand on what they get: Identity, Dropout when nothing is trained, and Cast to the type that is there
// already (exporters write them around norms and softmax, for models that would be of halves). Without them the
// patterns behind this pass are as short as they look. Types are those of the file, else what schemas say of results,
// node by node. Precondition: only nodes read the result; names of outputs stay where they are.
#include "passes.h"

#include "node_match.h"

#include "frontend/schema.h"
#include "ir/element_type.h"

using namespace mlir;

namespace sinter {
namespace {

class Dropper {
public:
  void visit(NodeOp node) {
    for (auto [i, result] : llvm::enumerate(node->getResults()))
      types[result] = typeOfResult(node, i);
    Value given = node.getInputs().empty() ? Value() : node.getInputs()[0];
    if (!given || !handsOn(node) || !llvm::all_of(node->getResult(0).getUsers(), llvm::IsaPred<NodeOp>))
      return;
    Value result = node->getResult(0);
    if (isa<RankedTensorType>(result.getType()) && !isa<RankedTensorType>(given.getType())) {
      if (!given.getDefiningOp<NodeOp>())
        return;
      given.setType(result.getType()); // what is known of the one is known of the other
    }
    result.replaceAllUsesWith(given);
    node->erase();
  }

private:
  ElementType typeOf(Value value) const {
    if (auto tensor = dyn_cast<TensorType>(value.getType()))
      return elementTypeOf(tensor.getElementType());
    return types.lookup(value);
  }

  ElementType typeOfResult(NodeOp node, size_t i) const {
    if (auto tensor = dyn_cast<TensorType>(node->getResult(static_cast<unsigned>(i)).getType()))
      return elementTypeOf(tensor.getElementType());
    if (isStandard(node, "Cast"))
      return static_cast<ElementType>(integerAttribute(node, "to").value_or(0));
    const OperatorSchema *schema =
        findSchema(node.getDomain(), node.getOpType(), static_cast<int64_t>(node.getSince()));
    const SchemaParameter *made = schema ? schema->output(i) : nullptr;
    if (!made || !schema->constraint(made->type) || (made->option == SchemaParameter::Variadic && !made->homogeneous))
      return ElementType::Undefined;
    for (auto [k, input] : llvm::enumerate(node.getInputs()))
      if (const SchemaParameter *given = schema->input(k); given && given->type == made->type)
        if (given->option != SchemaParameter::Variadic || given->homogeneous)
          return typeOf(input);
    return ElementType::Undefined;
  }

  static bool isStandard(NodeOp node, StringRef name) { return node.getOpType() == name && node.getDomain().empty(); }

  bool handsOn(NodeOp node) const {
    if (isStandard(node, "Identity"))
      return true;
    if (isStandard(node, "Cast"))
      return typeOf(node.getInputs()[0]) != ElementType::Undefined &&
             integerAttribute(node, "to") == static_cast<int64_t>(typeOf(node.getInputs()[0]));
    if (!isStandard(node, "Dropout") || node.getSince() < 7) // before that an attribute says whether it is trained
      return false;
    bool isMaskRead = node->getNumResults() > 1 && !node->getResult(1).use_empty();
    return !isMaskRead && (node.getInputs().size() < 3 || isNever(node.getInputs()[2]));
  }

  /// Of Dropout's training_mode.
  static bool isNever(Value training) {
    auto weight = training.getDefiningOp<WeightOp>();
    auto known = weight ? dyn_cast<DenseIntElementsAttr>(weight.getValue()) : nullptr;
    return training.getDefiningOp<AbsentOp>() || (known && known.isSplat() && known.getSplatValue<APInt>().isZero());
  }

  DenseMap<Value, ElementType> types;
};

} // namespace

LogicalResult dropIdentities(ModuleOp module) {
  SmallVector<NodeOp> nodes; // in their order, which is that of what they read
  module.walk<WalkOrder::PreOrder>([&](NodeOp node) { nodes.push_back(node); });
  Dropper dropper;
  for (NodeOp node : nodes)
    dropper.visit(node);
  return success();
}

} // namespace sinter
