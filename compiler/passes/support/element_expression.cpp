// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "element_expression.h"

#include "index_ranges.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace sinter {
namespace {

class ExpressionReader {
public:
  explicit ExpressionReader(ArrayRef<int64_t> sizes) : sizes(sizes) {}

  std::optional<ElementExpression> tensor(Value tensor, ArrayRef<AffineExpr> given) {
    if (++steps > mostSteps)
      return std::nullopt;
    SmallVector<AffineExpr, 4> at;
    for (AffineExpr index : given)
      at.push_back(simplifiedWithin(index, sizes));
    if (auto transpose = tensor.getDefiningOp<linalg::TransposeOp>()) {
      SmallVector<AffineExpr> from(at.size());
      for (auto [index, dim] : llvm::zip(at, transpose.getPermutation()))
        from[static_cast<size_t>(dim)] = index;
      return this->tensor(transpose.getInput(), from);
    }
    if (auto collapse = tensor.getDefiningOp<tensor::CollapseShapeOp>())
      return this->tensor(collapse.getSrc(), split(at, collapse));
    if (auto expand = tensor.getDefiningOp<tensor::ExpandShapeOp>())
      return this->tensor(expand.getSrc(), joined(at, expand));
    if (auto nest = tensor.getDefiningOp<linalg::GenericOp>(); nest && isElementwise(nest))
      return scalar(nest.getBody()->getTerminator()->getOperand(0), nest, at);
    return ElementExpression{nullptr, {}, tensor, at};
  }

private:
  /// One result, whose element is computed of scalars alone.
  static bool isElementwise(linalg::GenericOp nest) {
    return nest->getNumResults() == 1 && nest.getNumReductionLoops() == 0 &&
           nest.getMatchingIndexingMap(nest.getDpsInitOperand(0)).isIdentity() &&
           llvm::all_of(nest.getBody()->without_terminator(), [](Operation &op) {
             return isPure(&op) && op.getNumRegions() == 0 && op.getNumResults() == 1 &&
                    !isa<linalg::IndexOp, tensor::ExtractOp>(op);
           });
  }

  std::optional<ElementExpression> scalar(Value value, linalg::GenericOp nest, ArrayRef<AffineExpr> at) {
    if (++steps > mostSteps)
      return std::nullopt;
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == nest.getBody()) {
      OpOperand *operand = nest.getMatchingOpOperand(argument);
      if (!nest.isDpsInput(operand))
        return std::nullopt;
      if (!isa<RankedTensorType>(operand->get().getType()))
        return ElementExpression{nullptr, {}, operand->get(), {}};
      SmallVector<AffineExpr> read;
      for (AffineExpr index : nest.getMatchingIndexingMap(operand).getResults())
        read.push_back(index.replaceDims(at));
      return tensor(operand->get(), read);
    }
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != nest.getBody())
      return ElementExpression{nullptr, {}, value, {}};
    ElementExpression expression;
    expression.operation = op;
    for (Value operand : op->getOperands()) {
      std::optional<ElementExpression> part = scalar(operand, nest, at);
      if (!part)
        return std::nullopt;
      expression.operands.push_back(std::move(*part));
    }
    return expression;
  }

  /// Indices of the source of dims that were collapsed.
  static SmallVector<AffineExpr> split(ArrayRef<AffineExpr> at, tensor::CollapseShapeOp op) {
    SmallVector<AffineExpr> from;
    ArrayRef<int64_t> shape = op.getSrcType().getShape();
    for (auto [index, dims] : llvm::zip(at, op.getReassociationIndices())) {
      int64_t stride = 1;
      SmallVector<AffineExpr> reversed;
      for (int64_t dim : llvm::reverse(dims)) {
        AffineExpr quotient = index.floorDiv(stride);
        reversed.push_back(dim == dims.front() ? quotient : quotient % shape[dim]);
        stride *= shape[dim];
      }
      from.append(reversed.rbegin(), reversed.rend());
    }
    return from;
  }
  static SmallVector<AffineExpr> joined(ArrayRef<AffineExpr> at, tensor::ExpandShapeOp op) {
    SmallVector<AffineExpr> from;
    ArrayRef<int64_t> shape = op.getResultType().getShape();
    for (const ReassociationIndices &dims : op.getReassociationIndices()) {
      AffineExpr index = at[dims.front()];
      for (int64_t dim : ArrayRef(dims).drop_front())
        index = index * shape[dim] + at[dim];
      from.push_back(index);
    }
    return from;
  }

  static constexpr int mostSteps = 64;
  ArrayRef<int64_t> sizes;
  int steps = 0;
};

/// The tensors whose elements an expression reads, each as often as it does.
void collectElements(const ElementExpression &expression, SmallVectorImpl<const ElementExpression *> &elements) {
  if (expression.isElement())
    elements.push_back(&expression);
  for (const ElementExpression &operand : expression.operands)
    collectElements(operand, elements);
}

Value emitted(OpBuilder &b, const ElementExpression &expression, ValueRange arguments, size_t &next) {
  if (expression.isElement())
    return arguments[next++];
  if (!expression.operation)
    return expression.value;
  SmallVector<Value> operands;
  for (const ElementExpression &operand : expression.operands)
    operands.push_back(emitted(b, operand, arguments, next));
  IRMapping mapping;
  mapping.map(expression.operation->getOperands(), operands);
  return b.clone(*expression.operation, mapping)->getResult(0);
}

} // namespace

std::optional<ElementExpression> elementExpression(Value tensor, ArrayRef<AffineExpr> at, ArrayRef<int64_t> sizes) {
  return ExpressionReader(sizes).tensor(tensor, at);
}

Value tensorOf(OpBuilder &b, Location loc, const ElementExpression &expression, ArrayRef<int64_t> sizes, Type element) {
  SmallVector<const ElementExpression *> elements;
  collectElements(expression, elements);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  auto rank = static_cast<unsigned>(sizes.size());
  for (const ElementExpression *each : elements) {
    inputs.push_back(each->value);
    maps.push_back(AffineMap::get(rank, 0, each->at, b.getContext()));
  }
  maps.push_back(b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Value empty = b.create<tensor::EmptyOp>(loc, sizes, element);
  auto nest = b.create<linalg::GenericOp>(
      loc, empty.getType(), inputs, empty, maps, loops, [&](OpBuilder &inner, Location at, ValueRange arguments) {
        size_t next = 0;
        Value made = emitted(inner, expression, arguments, next);
        if (auto from = dyn_cast<FloatType>(made.getType());
            from && isa<FloatType>(element) && from.getWidth() < cast<FloatType>(element).getWidth())
          made = inner.create<arith::ExtFOp>(at, element, made);
        inner.create<linalg::YieldOp>(at, made);
      });
  return nest.getResult(0);
}

} // namespace sinter
