// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work.h"

#include "launch.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "spreads.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace sinter {

int64_t times(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? INT64_MAX : product;
}

namespace {
/// The operand of the nest that a scalar of its body is, casts aside; null for what was computed.
BlockArgument argumentOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<CastOpInterface>(op))
      return {};
    value = op->getOperand(0);
  }
  return cast<BlockArgument>(value);
}

/// Whether the body adds a product of two operands to what it has summed so far.
bool sumsProducts(linalg::GenericOp generic) {
  return llvm::any_of(generic.getBody()->getOperations(), [&](Operation &op) {
    if (!isa<arith::MulFOp, arith::MulIOp>(op))
      return false;
    BlockArgument a = argumentOf(op.getOperand(0)), b = argumentOf(op.getOperand(1));
    return a && b && a != b &&
           llvm::any_of(op.getUsers(), [](Operation *user) { return isa<arith::AddFOp, arith::AddIOp>(user); });
  });
}

/// Sizes of a convolution's filter that meet each output position, whichever order it is packed in: those of taps and
/// of the channels of a group.
SmallVector<int64_t> sizesPerPosition(ConvOp conv) {
  ArrayRef<int64_t> filter = cast<ShapedType>(conv.getFilter().getType()).getShape();
  auto rank = static_cast<int64_t>(conv.getStrides().size()) + 2;
  SmallVector<int64_t> sizes;
  for (int64_t d = 1; d < rank; ++d) {
    if (d > 1 && conv.getKernelAttr() && conv.getKernelAttr().has("taps")) {
      sizes.push_back(conv.taps(d - 2));
      continue;
    }
    std::optional<ArrayRef<int64_t>> packed = conv.getKernelAttr() ? conv.getKernelAttr().dimsOf(d) : std::nullopt;
    for (int64_t dim : packed.value_or(ArrayRef(d)))
      sizes.push_back(filter[dim]);
  }
  return sizes;
}
} // namespace

int64_t Work::size(Value shaped, int64_t dim) {
  int64_t high = bounds.ofDim(shaped, dim).high;
  return high == INT64_MAX ? 0 : high;
}

int64_t Work::macsOf(Operation *op) {
  if (auto whole = op->getAttrOfType<IntegerAttr>("macs_of_map")) // in row tiles, on the average
    return whole.getInt() / std::max<int64_t>(1, repeatsOf(op));
  if (auto launch = dyn_cast<LaunchOp>(op)) {
    int64_t macs = 0;
    for (Operation &inner : launch.getBody().front())
      macs += macsOf(&inner);
    return macs;
  }
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    int64_t rank = cast<ShapedType>(matmul.getLhs().getType()).getRank();
    return times(elements(matmul.getInits()[0]), size(matmul.getLhs(), rank - (matmul.getTransposeLhs() ? 2 : 1)));
  }
  if (auto conv = dyn_cast<ConvOp>(op)) {
    int64_t macs = elements(conv.getInits()[0]);
    if (KernelAttr kernel = conv.getKernelAttr();
        kernel && kernel.has("taps") && !kernel.has("dims")) { // packed as bytes, filled up
      for (int64_t tap : kernel.numbers("taps"))
        macs = times(macs, tap);
      int64_t rank = cast<ShapedType>(conv.getInput().getType()).getRank();
      int64_t channels = size(conv.getInput(), conv.inputLayout() == "nchw" ? 1 : rank - 1);
      return times(macs, channels / static_cast<int64_t>(conv.getGroup()));
    }
    for (int64_t size : sizesPerPosition(conv))
      macs = times(macs, ShapedType::isDynamic(size) ? 0 : size);
    for (size_t d = 0; d < conv.getStrides().size(); ++d) // those with the zeros between are not made
      macs /= spreadOf(conv, d);
    return macs;
  }
  if (auto kernel = dyn_cast<KernelOp>(op); kernel && kernel.getKernel() == "attention_heads")
    // Scores and their weighted sum of values: b * h * l * s * e and b * h * l * s * w.
    return times(elements(kernel.getInputs()[0]), size(kernel.getInputs()[1], 2)) +
           times(elements(kernel.getInits()[0]), size(kernel.getInputs()[1], 2));
  if (auto generic = dyn_cast<linalg::GenericOp>(op);
      generic && generic.getNumReductionLoops() && sumsProducts(generic))
    return product(generic);
  return 0;
}

int64_t Work::product(linalg::GenericOp nest) {
  int64_t iterations = 1;
  for (unsigned loop = 0; loop < nest.getNumLoops(); ++loop) {
    SmallVector<std::pair<Value, unsigned>> places;
    nest.mapIterationSpaceDimToAllOperandDims(loop, places);
    iterations = places.empty() ? 0 : times(iterations, size(places.front().first, places.front().second));
  }
  return iterations;
}

int64_t Work::iterationsOf(Operation *op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return product(generic);
  int64_t iterations = macsOf(op);
  if (iterations == 0)
    for (Value operand : op->getOperands())
      if (isa<ShapedType>(operand.getType()))
        iterations = std::max(iterations, elements(operand));
  return iterations;
}

int64_t Work::trips(Operation *loop) {
  auto forOp = dyn_cast<scf::ForOp>(loop);
  if (!forOp)
    return 1;
  Interval from = bounds.ofValue(forOp.getLowerBound()), to = bounds.ofValue(forOp.getUpperBound()),
           step = bounds.ofValue(forOp.getStep());
  if (from.low == INT64_MIN || to.high == INT64_MAX || step.low <= 0 || to.high <= from.low)
    return 1;
  return llvm::divideCeil(to.high - from.low, step.low);
}

int64_t Work::repeatsOf(Operation *op) {
  int64_t repeats = 1;
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    repeats = times(repeats, trips(parent));
  return repeats;
}

int64_t Work::macsIn(Region &region) {
  int64_t macs = 0;
  for (Block &block : region)
    for (Operation &op : block) {
      if (isOpTriviallyDead(&op))
        continue;
      macs += macsOf(&op);
      if (isa<linalg::LinalgOp, ConvOp, MatmulOp, WeightOp>(op))
        continue;
      int64_t largest = 0;
      for (Region &inner : op.getRegions())
        largest = std::max(largest, macsIn(inner));
      macs += times(largest, trips(&op));
    }
  return macs;
}

} // namespace sinter
