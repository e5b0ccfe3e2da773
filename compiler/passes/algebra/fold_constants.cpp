// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small tensors and scalars that follow from constants and weights become arith.constant, so that upstream's folds see
// through them. Large ones stay as they are, for outline_constants. Precondition: the interpreter knows every op of the
// slice, and it has no effects.
#include "passes/passes.h"

#include "interpreter/interpreter.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr int64_t smallBytes = 1024;

/// Elements that arith.constant can hold, few enough.
bool isSmall(Type type) {
  Type element = getElementTypeOrSelf(type);
  bool holdable = element.isIntOrIndexOrFloat() && (!isa<IntegerType>(element) || element.isSignlessInteger());
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return holdable && !isa<ShapedType>(type);
  std::optional<ElementKind> kind = elementKind(element);
  return holdable && kind && tensor.hasStaticShape() &&
         tensor.getNumElements() * static_cast<int64_t>(elementBytes(*kind)) <= smallBytes;
}

/// Constants as they are, memory without contents or with one value, weights, whose names are worth keeping, and what
/// products take packed, or rows as bytes for.
bool staysAsItIs(Operation *op) {
  auto kernel = dyn_cast<KernelOp>(op);
  return op->hasTrait<OpTrait::ConstantLike>() || (kernel && kernel.getKernel() == "dequantize_blocks") ||
         isa<tensor::EmptyOp, tensor::SplatOp, linalg::FillOp, WeightOp, ConstantOp>(op);
}

TypedAttr attributeFor(const HostTensor &tensor, Type type) {
  if (auto shaped = dyn_cast<RankedTensorType>(type))
    return ArrayRef<int64_t>(shaped.getShape()) == tensor.shape() ? dyn_cast<TypedAttr>(toAttribute(tensor, shaped))
                                                                  : TypedAttr();
  auto elements = cast<DenseElementsAttr>(toAttribute(tensor, RankedTensorType::get({}, type)));
  return dyn_cast<TypedAttr>(*elements.value_begin<Attribute>());
}

} // namespace

LogicalResult foldConstants(ModuleOp module) {
  EvaluationCache cache;
  SmallVector<std::pair<Value, TypedAttr>> found;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() && !staysAsItIs(op) && isMemoryEffectFree(op))
      for (Value result : op->getResults())
        if (isSmall(result.getType()) && !result.use_empty() && isConstant(result, cache))
          if (std::optional<HostTensor> tensor = evaluate(result, cache))
            if (TypedAttr attribute = attributeFor(*tensor, result.getType()))
              found.push_back({result, attribute});
    // bodies of loop nests and epilogues stay: their ops run once per point anyway
    return isa<DestinationStyleOpInterface, ConstantOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  for (auto [value, attribute] : found) {
    OpBuilder builder(value.getDefiningOp());
    value.replaceAllUsesWith(builder.create<arith::ConstantOp>(value.getLoc(), attribute));
  }
  IRRewriter rewriter(module.getContext());
  (void)runRegionDCE(rewriter, module->getRegions()); // what only they read; whether anything went does not matter
  return success();
}

} // namespace sinter
