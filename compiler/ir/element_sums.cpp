// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum of some of a tensor's elements, none of which is below zero, is at most the sum of all; scattering adds each
// update once, so that it adds their sum to that of its data, whatever the places are.
#include "element_sums.h"

#include "dialect.h"
#include "dim_bounds.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

constexpr unsigned deepestSum = 8;
constexpr int64_t mostExact =
    int64_t(1) << 24; ///< float32 holds each whole number up to it; smaller floats are not asked

bool holdsWholeNumbers(Type element) { return isa<IntegerType, IndexType, Float32Type, Float64Type>(element); }

/// The argument that a body yields, as another type at most.
BlockArgument passedOn(Value yielded) {
  while (Operation *op = yielded.getDefiningOp()) {
    if (!isa<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp,
             arith::IndexCastOp>(op))
      return nullptr;
    yielded = op->getOperand(0);
  }
  return dyn_cast<BlockArgument>(yielded);
}

/// What a nest makes of one tensor element by element, each once.
Value passedOnFrom(linalg::GenericOp nest, unsigned result) {
  BlockArgument argument = passedOn(nest.getBody()->getTerminator()->getOperand(result));
  OpOperand *operand =
      argument && argument.getOwner() == nest.getBody() ? nest.getMatchingOpOperand(argument) : nullptr;
  if (!operand || !nest.isDpsInput(operand) || nest.getNumReductionLoops() ||
      !nest.getMatchingIndexingMap(operand).isPermutation())
    return nullptr;
  return operand->get();
}

/// The most that elements sum up to; nothing where one may be below zero, or the sum has no bound.
std::optional<int64_t> sumOf(Value tensor, DimBounds &bounds, unsigned depth = 0) {
  auto result = dyn_cast<OpResult>(tensor);
  if (!result || depth > deepestSum)
    return std::nullopt;
  Operation *op = result.getOwner();
  if (auto kernel = dyn_cast<KernelOp>(op); kernel && kernel.isScatter()) {
    auto reduction = kernel.getParams().getAs<IntegerAttr>("reduction");
    std::optional<int64_t> data = sumOf(kernel.getInputs()[0], bounds, depth + 1),
                           updates = sumOf(kernel.getInputs()[2], bounds, depth + 1);
    constexpr int64_t add = 1;
    if (reduction && reduction.getInt() == add)
      return data && updates ? std::optional(*data + *updates) : std::nullopt;
  }
  if (auto nest = dyn_cast<linalg::GenericOp>(op))
    if (Value source = passedOnFrom(nest, result.getResultNumber()))
      return sumOf(source, bounds, depth + 1);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return sumOf(collapse.getSrc(), bounds, depth + 1);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return sumOf(expand.getSrc(), bounds, depth + 1);
  Interval each = bounds.ofValue(tensor);
  std::optional<int64_t> count = bounds.maxElements(tensor);
  int64_t sum;
  if (each.low < 0 || !each.isBounded() || !count || llvm::MulOverflow(each.high, *count, sum) || sum > mostExact)
    return std::nullopt;
  return sum;
}

Interval wholeNumber(const APFloat &constant) {
  double number = constant.isFinite() ? constant.convertToDouble() : NAN;
  return number == std::floor(number) && std::fabs(number) <= double(mostExact)
             ? Interval::of(static_cast<int64_t>(number))
             : Interval();
}

Interval upTo(std::optional<int64_t> sum) { return sum && *sum <= mostExact ? Interval{0, *sum} : Interval(); }
} // namespace

Interval elementsOfKernel(OpResult tensor, DimBounds &bounds) {
  auto kernel = dyn_cast<KernelOp>(tensor.getOwner());
  if (!kernel || !holdsWholeNumbers(getElementTypeOrSelf(tensor.getType())))
    return {};
  if (kernel.isScatter()) {
    constexpr int64_t none = 0, add = 1, mul = 2;
    auto reduction = kernel.getParams().getAs<IntegerAttr>("reduction");
    int64_t way = reduction ? reduction.getInt() : none;
    Interval data = bounds.ofValue(kernel.getInputs()[0]);
    if (way != add && way != mul)
      return data.unite(bounds.ofValue(kernel.getInputs()[2]));
    std::optional<int64_t> updates = way == add ? sumOf(kernel.getInputs()[2], bounds) : std::nullopt;
    return updates && data.isBounded() && data.high < mostExact ? Interval{data.low, data.high + *updates} : Interval();
  }
  auto product = kernel.getParams().getAs<BoolAttr>("product");
  if (kernel.getKernel() == "cumulate" && product && !product.getValue())
    return upTo(sumOf(kernel.getInputs()[0], bounds));
  return {};
}

Interval elementsOfSums(OpResult tensor, DimBounds &bounds) {
  auto nest = dyn_cast<linalg::GenericOp>(tensor.getOwner());
  if (!nest || nest.getNumDpsInputs() != 1 || !isa<IntegerType>(getElementTypeOrSelf(tensor.getType())))
    return {};
  auto sum = nest.getBody()->getTerminator()->getOperand(tensor.getResultNumber()).getDefiningOp<arith::AddIOp>();
  if (!sum)
    return {};
  OpOperand *input = nest.getDpsInputOperand(0), *init = nest.getDpsInitOperand(tensor.getResultNumber());
  Value added = sum.getLhs(), sofar = sum.getRhs();
  if (added == nest.getMatchingBlockArgument(init))
    std::swap(added, sofar);
  if (sofar != nest.getMatchingBlockArgument(init) || passedOn(added) != nest.getMatchingBlockArgument(input) ||
      !nest.getMatchingIndexingMap(input).isPermutation() || !Interval::of(0).contains(bounds.ofValue(init->get())))
    return {};
  return upTo(sumOf(input->get(), bounds));
}

Interval wholeFloats(DenseFPElementsAttr numbers) {
  constexpr int64_t most = 4096; // of a long table nothing is learnt that a size follows from
  if (numbers.empty() || (!numbers.isSplat() && numbers.getNumElements() > most))
    return {};
  if (numbers.isSplat())
    return wholeNumber(numbers.getSplatValue<APFloat>());
  Interval all = wholeNumber(*numbers.value_begin<APFloat>());
  for (const APFloat &number : numbers.getValues<APFloat>())
    all = all.unite(wholeNumber(number));
  return all;
}

Interval wholeFloat(Value floating, DimBounds &bounds) {
  if (APFloat constant(0.0); matchPattern(floating, m_ConstantFloat(&constant)))
    return wholeNumber(constant);
  if (!holdsWholeNumbers(floating.getType()))
    return {};
  Interval whole;
  if (auto argument = dyn_cast<BlockArgument>(floating)) {
    auto nest = dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp());
    OpOperand *operand = nest ? nest.getMatchingOpOperand(argument) : nullptr;
    if (operand && nest.isDpsInput(operand) && isa<ShapedType>(operand->get().getType()))
      return bounds.ofValue(operand->get());
    return {};
  }
  Operation *op = floating.getDefiningOp();
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return bounds.ofValue(extract.getTensor());
  if (isa<arith::SIToFPOp>(op))
    whole = bounds.ofValue(op->getOperand(0));
  else if (isa<arith::ExtFOp>(op))
    whole = wholeFloat(op->getOperand(0), bounds);
  return whole.low >= -mostExact && whole.high <= mostExact ? whole : Interval();
}

} // namespace sinter
