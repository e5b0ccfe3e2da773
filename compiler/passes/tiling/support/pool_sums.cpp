// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// templates/pool/quantized_average_pool.h in loop nests: sums over rows and columns, then the step to bytes.
// Preconditions: channels last, one window without padding that is the whole map.
#include "pool_sums.h"

#include "builders/scalars.h"
#include "ir/requantize.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

bool isWholePool(PoolOp pool) {
  if (!pool.getScales() || !pool.isBlocked())
    return false;
  auto x = dyn_cast<RankedTensorType>(pool.getInput().getType());
  return x && x.hasStaticShape() && pool.getWindow() == x.getShape().slice(2, 2) && !pool.hasPads() &&
         llvm::all_of(cast<RankedTensorType>(pool.getInits()[0].getType()).getShape().slice(2, 2),
                      [](int64_t size) { return size == 1; });
}

/// Whether of all sums whose mean is a result at most one in 2000 lies so near to the middle of two results that sums
/// of floats, which are off by half an ulp for each addition, in random directions, may come to lie on its other side.
bool poolsAgree(int64_t count, double scale, double step) {
  int64_t results = 0, doubtful = 0;
  for (int64_t sum = 1; sum <= 255 * count; ++sum) {
    double mean = double(sum) * scale / (double(count) * step);
    if (mean > 255)
      break;
    double toHalf = std::fabs(mean - std::floor(mean) - 0.5);
    ++results;
    doubtful += toHalf <= std::sqrt(double(count)) * mean * 0x1p-24;
  }
  return doubtful * 2000 <= results;
}

class WholePool {
public:
  WholePool(PoolOp pool, PoolSums sums)
      : pool(pool), b(pool), loc(pool.getLoc()), x(cast<RankedTensorType>(pool.getInput().getType())),
        integerSums(
            pool.getScalesAttr().getIntegerSums().getValue() || sums == PoolSums::Integers ||
            (sums == PoolSums::IntegersIfClose && poolsAgree(x.getDimSize(2) * x.getDimSize(3), xScale(), yScale()))),
        sum{b, loc, integerSums ? ElementType::Int32 : ElementType::Float} {}

  void split() {
    Value zero = sum.constant(0);
    Value empty = b.create<tensor::EmptyOp>(loc, ArrayRef<int64_t>{x.getDimSize(0), x.getDimSize(1), x.getDimSize(4)},
                                            zero.getType());
    Value start = b.create<linalg::FillOp>(loc, zero, empty).getResult(0);
    Value sums = sumUp(start);
    pool.replaceAllUsesWith(ValueRange(finish(sums)));
    pool.erase();
  }

private:
  double xScale() { return pool.getScalesAttr().getXScale().getValueAsDouble(); }
  double yScale() { return pool.getScalesAttr().getYScale().getValueAsDouble(); }
  ElementType element() { return pool.getIsUnsigned() ? ElementType::UInt8 : ElementType::Int8; }

  /// sums[n, block, c] + all x[n, block, h, w, c]
  Value sumUp(Value start) {
    AffineMap maps[] = {
        AffineMap::getMultiDimIdentityMap(5, b.getContext()),
        AffineMap::get(5, 0, {b.getAffineDimExpr(0), b.getAffineDimExpr(1), b.getAffineDimExpr(4)}, b.getContext())};
    using utils::IteratorType;
    IteratorType loops[] = {IteratorType::parallel, IteratorType::parallel, IteratorType::reduction,
                            IteratorType::reduction, IteratorType::parallel};
    auto nest = b.create<linalg::GenericOp>(
        loc, start.getType(), pool.getInput(), start, maps, loops, [&](OpBuilder &nb, Location l, ValueRange v) {
          Scalars bytes{nb, l, element()}, s{nb, l, sum.type}, whole{nb, l, ElementType::Int32};
          Value less =
              whole.sub(bytes.castTo(ElementType::Int32, v[0]), whole.integer(pool.getScalesAttr().getXZero()));
          if (!integerSums)
            less = s.mul(s.constant(xScale()), whole.castTo(ElementType::Float, less));
          nb.create<linalg::YieldOp>(l, s.add(v[1], less));
        });
    return nest.getResult(0);
  }

  Value finish(Value sums) {
    Value init = pool.getInits()[0];
    ElementType to = element();
    AffineMap maps[] = {
        AffineMap::get(5, 0, {b.getAffineDimExpr(0), b.getAffineDimExpr(1), b.getAffineDimExpr(4)}, b.getContext()),
        AffineMap::getMultiDimIdentityMap(5, b.getContext())};
    SmallVector<utils::IteratorType> loops(5, utils::IteratorType::parallel);
    float count = static_cast<float>(x.getDimSize(2) * x.getDimSize(3)), step = static_cast<float>(yScale()),
          scale = static_cast<float>(xScale());
    auto nest = b.create<linalg::GenericOp>(
        loc, init.getType(), sums, init, maps, loops, [&](OpBuilder &nb, Location l, ValueRange v) {
          Scalars s{nb, l, ElementType::Float};
          int64_t low = to == ElementType::Int8 ? -128 : 0, zero = pool.getScalesAttr().getYZero(), lift = zero - low;
          Requantize result;
          if (integerSums) { // round(sum * factor), then the zero point
            result = {{{v[0], false, {}, s.constant(scale / (step * count))}}, {}, zero, low - zero, low + 255 - zero};
          } else { // the zero point inside of the rounding, as onnxruntime has it for bytes without a sign
            Value mean = s.div(s.div(v[0], s.constant(count)), s.constant(step));
            result = {{{mean, false, {}, {}}}, s.constant(static_cast<double>(lift)), low, 0, 255};
          }
          nb.create<linalg::YieldOp>(l, result.write(nb, l, nb.getI8Type()));
        });
    return nest.getResult(0);
  }

  PoolOp pool;
  OpBuilder b;
  Location loc;
  RankedTensorType x;
  bool integerSums;
  Scalars sum;
};

} // namespace

void splitWholePools(Block &block, PoolSums sums) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (auto pool = dyn_cast<PoolOp>(op); pool && isWholePool(pool))
      WholePool(pool, sums).split();
}

} // namespace sinter
