// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_weights.h"

#include "element_expression.h"
#include "index_ranges.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace sinter {
namespace {

/// (numbers - zero) * factors[0] * factors[1] ..., each factor with the product that takes it.
struct ScaledNumbers {
  const ElementExpression *numbers = nullptr;
  bool isSigned = false;
  std::optional<ElementExpression> zero;
  std::optional<ElementExpression> scale;
};

bool isNumber(const ElementExpression &expression) {
  return expression.isElement() && getElementTypeOrSelf(expression.value.getType()).isInteger(8);
}

/// Integers with a zero point that `toFloat` converts.
bool findIntegers(const ElementExpression &expression, Operation *toFloat, ScaledNumbers &found) {
  if (isNumber(expression)) {
    found.numbers = &expression;
    found.isSigned = isa<arith::SIToFPOp>(toFloat);
    return true;
  }
  Operation *op = expression.operation;
  if (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op) && isNumber(expression.operands[0])) {
    found.numbers = &expression.operands[0];
    found.isSigned = isa<arith::ExtSIOp>(op);
    return true;
  }
  if (!isa_and_nonnull<arith::SubIOp>(op) || !findIntegers(expression.operands[0], toFloat, found) || found.zero)
    return false;
  found.zero = ElementExpression{toFloat, {expression.operands[1]}, {}, {}};
  return true;
}

bool findNumbers(const ElementExpression &expression, ScaledNumbers &found) {
  Operation *op = expression.operation;
  if (!op || !isa<FloatType>(op->getResult(0).getType()) || op->getResult(0).getType().isF64())
    return false;
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return findIntegers(expression.operands[0], op, found);
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return findNumbers(expression.operands[0], found);
  if (isa<arith::SubFOp>(op)) {
    if (!findNumbers(expression.operands[0], found) || found.scale || found.zero)
      return false;
    found.zero = expression.operands[1];
    return true;
  }
  if (!isa<arith::MulFOp>(op))
    return false;
  for (size_t i : {0, 1}) {
    ScaledNumbers inside;
    if (!findNumbers(expression.operands[i], inside))
      continue;
    const ElementExpression &factor = expression.operands[1 - i];
    found = std::move(inside);
    found.scale = found.scale ? ElementExpression{op, {*found.scale, factor}, {}, {}} : factor;
    return true;
  }
  return false;
}

Type scalarTypeOf(const ElementExpression &expression) {
  return expression.operation ? expression.operation->getResult(0).getType()
                              : getElementTypeOrSelf(expression.value.getType());
}
/// Factors of different types would need conversions between them.
bool isOfOneType(const ElementExpression &expression) {
  return !isa_and_nonnull<arith::MulFOp>(expression.operation) ||
         llvm::all_of(expression.operands, [&](const ElementExpression &operand) {
           return scalarTypeOf(operand) == scalarTypeOf(expression) && isOfOneType(operand);
         });
}

void collectDivisors(AffineExpr expr, SmallVectorImpl<int64_t> &divisors) {
  expr.walk([&](AffineExpr part) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(part);
    if (auto by = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : AffineConstantExpr();
        by && part.getKind() == AffineExprKind::FloorDiv)
      divisors.push_back(by.getValue());
  });
}
void collectDivisors(const ElementExpression &expression, SmallVectorImpl<int64_t> &divisors) {
  for (AffineExpr index : expression.at)
    collectDivisors(index, divisors);
  for (const ElementExpression &operand : expression.operands)
    collectDivisors(operand, divisors);
}

/// The expression over (row, block) where it is the same for all of a block of columns.
std::optional<ElementExpression> perBlock(const ElementExpression &expression, ArrayRef<int64_t> sizes, int64_t block) {
  ElementExpression made = expression;
  for (AffineExpr &index : made.at) {
    MLIRContext *context = index.getContext();
    AffineExpr row = getAffineDimExpr(0, context), which = getAffineDimExpr(1, context);
    AffineExpr column = which * block + getAffineDimExpr(2, context);
    index = simplifiedWithin(index.replaceDims({row, column}), {sizes[0], sizes[1] / block, block});
    if (index.isFunctionOfDim(2))
      return std::nullopt;
  }
  for (ElementExpression &operand : made.operands) {
    std::optional<ElementExpression> own = perBlock(operand, sizes, block);
    if (!own)
      return std::nullopt;
    operand = std::move(*own);
  }
  return made;
}

/// The longest blocks that share scale and zero: these become expressions over (row, block).
std::optional<int64_t> findBlocks(ScaledNumbers &found, ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> candidates{sizes[1]};
  for (const auto &each : {found.scale, found.zero})
    if (each)
      collectDivisors(*each, candidates);
  llvm::sort(candidates, std::greater<>());
  for (int64_t block : candidates) {
    if (block < 1 || sizes[1] % block)
      continue;
    auto inBlocks = [&](const std::optional<ElementExpression> &each) {
      return each ? perBlock(*each, sizes, block) : std::nullopt;
    };
    std::optional<ElementExpression> scale = inBlocks(found.scale), zero = inBlocks(found.zero);
    if (scale.has_value() != found.scale.has_value() || zero.has_value() != found.zero.has_value())
      continue;
    found.scale = std::move(scale);
    found.zero = std::move(zero);
    return block;
  }
  return std::nullopt;
}

/// The numbers as [rows, columns], if they lie row by row or column by column.
Value matrixOf(OpBuilder &b, const ElementExpression &numbers, ArrayRef<int64_t> sizes) {
  auto type = cast<RankedTensorType>(numbers.value.getType());
  MLIRContext *context = b.getContext();
  AffineExpr row = getAffineDimExpr(0, context), column = getAffineDimExpr(1, context),
             place = getAffineConstantExpr(0, context);
  if (!type.hasStaticShape() || type.getNumElements() != sizes[0] * sizes[1])
    return {};
  for (auto [index, size] : llvm::zip(numbers.at, type.getShape()))
    place = place * size + index;
  auto lies = [&](AffineExpr otherwise) { return simplifiedWithin(place - otherwise, sizes) == 0; };
  bool inRows = lies(row * sizes[1] + column), inColumns = !inRows && lies(column * sizes[0] + row);
  if (!inRows && !inColumns)
    return {};
  Location loc = numbers.value.getLoc();
  SmallVector<int64_t> shape(sizes);
  if (inColumns)
    std::swap(shape[0], shape[1]);
  Value matrix = numbers.value;
  if (type.getShape() != ArrayRef(shape)) {
    ReassociationIndices all = llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()));
    if (type.getRank() > 1)
      matrix = b.create<tensor::CollapseShapeOp>(loc, matrix, SmallVector<ReassociationIndices>{all});
    matrix = b.create<tensor::ExpandShapeOp>(loc, RankedTensorType::get(shape, type.getElementType()), matrix,
                                             SmallVector<ReassociationIndices>{{0, 1}});
  }
  if (inRows)
    return matrix;
  Value empty = b.create<tensor::EmptyOp>(loc, sizes, type.getElementType());
  return b.create<linalg::TransposeOp>(loc, matrix, empty, ArrayRef<int64_t>{1, 0})->getResult(0);
}

/// The one integer that all zero points are; 0 without them.
std::optional<int64_t> commonZero(Value zeros, EvaluationCache &cache) {
  if (!zeros)
    return 0;
  std::optional<HostTensor> host = evaluate(zeros, cache);
  if (!host || host->size() == 0)
    return std::nullopt;
  double first = host->numberAt(0);
  for (int64_t i = 1; i < host->size(); ++i)
    if (host->numberAt(i) != first)
      return std::nullopt;
  return first >= -128 && first <= 255 && first == std::floor(first) ? std::optional(static_cast<int64_t>(first))
                                                                     : std::nullopt;
}

Value filledFloats(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, float value) {
  auto type = RankedTensorType::get(shape, b.getF32Type());
  return b.create<arith::ConstantOp>(loc, DenseElementsAttr::get(type, value));
}

/// The fewest bits that the numbers fit, and what counts as 0: so that half of the range is the zero point, if that is
/// one for all and the numbers are on both sides of it.
void settleBits(OpBuilder &b, BlockWeights &weights, const HostTensor &numbers, EvaluationCache &cache) {
  const auto *bytes = reinterpret_cast<const uint8_t *>(numbers.bytes());
  int64_t least = INT64_MAX, most = INT64_MIN;
  for (int64_t i = 0; i < numbers.size(); ++i) {
    int64_t number = weights.isSigned ? static_cast<int8_t>(bytes[i]) : int64_t(bytes[i]);
    least = std::min(least, number);
    most = std::max(most, number);
  }
  std::optional<int64_t> zero = commonZero(weights.zeros, cache);
  for (weights.bits = 2; most - least >= int64_t(1) << weights.bits; weights.bits *= 2) {
  }
  int64_t half = int64_t(1) << (weights.bits - 1);
  if (zero && least >= *zero - half && most < *zero + half) {
    weights.low = *zero - half;
    weights.zeros = {};
    return;
  }
  weights.low = weights.bits == 8 ? std::min<int64_t>(least, 0) : least;
  if (!weights.zeros)
    weights.zeros = filledFloats(b, weights.scales.getLoc(), cast<ShapedType>(weights.scales.getType()).getShape(), 0);
}

std::optional<BlockWeights> blocksOfIntegers(OpBuilder &b, Value matrix, bool hasRows, EvaluationCache &cache) {
  auto type = cast<RankedTensorType>(matrix.getType());
  if (!type.hasStaticShape() || type.getRank() != 2 || type.getNumElements() == 0 || !isConstant(matrix, cache))
    return std::nullopt;
  AffineExpr row = b.getAffineDimExpr(0), column = b.getAffineDimExpr(1);
  int64_t sizes[] = {type.getDimSize(hasRows ? 0 : 1), type.getDimSize(hasRows ? 1 : 0)};
  SmallVector<AffineExpr> at{row, column};
  if (!hasRows)
    std::swap(at[0], at[1]);
  std::optional<ElementExpression> element = elementExpression(matrix, at, sizes);
  ScaledNumbers found;
  if (!element || !findNumbers(*element, found) || (found.scale && !isOfOneType(*found.scale)))
    return std::nullopt;
  std::optional<int64_t> block = findBlocks(found, sizes);
  std::optional<HostTensor> host = block ? evaluate(found.numbers->value, cache) : std::nullopt;
  Value numbers = host ? matrixOf(b, *found.numbers, sizes) : Value();
  if (!numbers)
    return std::nullopt;
  BlockWeights weights{};
  weights.numbers = numbers;
  weights.isSigned = found.isSigned;
  weights.rows = sizes[0];
  weights.columns = sizes[1];
  weights.block = *block;
  int64_t shape[] = {sizes[0], sizes[1] / *block};
  Location loc = matrix.getLoc();
  weights.scales = found.scale ? tensorOf(b, loc, *found.scale, shape, b.getF32Type()) : filledFloats(b, loc, shape, 1);
  if (found.zero)
    weights.zeros = tensorOf(b, loc, *found.zero, shape, b.getF32Type());
  settleBits(b, weights, *host, cache);
  return weights;
}

} // namespace

KernelOp dequantizedBlocks(Value value, bool &isTransposed) {
  isTransposed = false;
  while (auto transpose = value.getDefiningOp<linalg::TransposeOp>()) {
    if (transpose.getPermutation().size() != 2)
      return {};
    isTransposed ^= transpose.getPermutation()[0] == 1;
    value = transpose.getInput();
  }
  auto op = value.getDefiningOp<KernelOp>();
  return op && op.getKernel() == "dequantize_blocks" ? op : KernelOp();
}

std::optional<BlockWeights> blockWeightsOf(OpBuilder &b, Value matrix, bool hasRows, EvaluationCache &cache) {
  bool isTransposed = false;
  KernelOp op = dequantizedBlocks(matrix, isTransposed);
  if (!op)
    return blocksOfIntegers(b, matrix, hasRows, cache);
  if (isTransposed == hasRows)
    return std::nullopt; // scales are along what a product sums over, or not at all
  auto number = [&](StringRef name) { return op.getParams().getAs<IntegerAttr>(name).getInt(); };
  auto flag = [&](StringRef name) { return op.getParams().getAs<BoolAttr>(name).getValue(); };
  OperandRange inputs = op.getInputs();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getResult(0).getType()).getShape();
  BlockWeights weights{};
  weights.numbers = inputs[0];
  weights.scales = inputs[1];
  size_t next = 2;
  if (flag("zeros"))
    weights.zeros = inputs[next++];
  if (flag("ordered"))
    weights.order = inputs[next];
  weights.rows = shape[0];
  weights.columns = shape[1];
  weights.bits = number("bits");
  weights.block = number("block");
  weights.isPacked = flag("packed");
  weights.isSigned = op.getSignedness()[0] == 's';
  weights.low = number("low");
  weights.lhsBytes = flag("lhs_bytes");
  return weights;
}

} // namespace sinter
