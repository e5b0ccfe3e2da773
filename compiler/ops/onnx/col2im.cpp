// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Col2Im: each image element is the sum over the taps of the block whose window covers it: a reduction that reads
// columns. Elements that windows' strides lie between are apart, so that those of neighbouring windows are neighbours
// on both sides, and no tap is asked for that never falls on them. Where sizes are known, the columns have zeros around
// them, and are read by vectors; else each iteration asks whether there is a window.
#include "ops/norms.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;

namespace sinter {
namespace {

/// Along one dim of the image, element stride * step + phase. The last dim has its phase outside of its steps.
struct ImageDim {
  int64_t stride, dilation, pad;
  Size size, taps, windows;
  unsigned step = 0, phase = 0; ///< loops; the phase's only with a stride

  bool hasPhase() const { return stride > 1; }
  /// Taps that fall on elements of one phase are a stride apart.
  bool isByPhase() const { return hasPhase() && dilation == 1; }
  Size steps(OpBuilder &b, Location loc) const { return ceilDiv(b, loc, size, stride); }
  Size tapLoops(OpBuilder &b, Location loc) const { return isByPhase() ? ceilDiv(b, loc, taps, stride) : taps; }
};

/// The loops of an image's elements, and their numbers.
Sizes loopsOf(const Tensors &t, Size batch, Size channels, MutableArrayRef<ImageDim> dims) {
  Sizes loops{batch, channels};
  for (auto [d, dim] : llvm::enumerate(dims)) {
    unsigned next = loops.size();
    bool isLast = d + 1 == dims.size();
    dim.step = isLast && dim.hasPhase() ? next + 1 : next;
    dim.phase = isLast ? next : next + 1;
    loops.push_back(dim.steps(t.b, t.loc));
    if (dim.hasPhase())
      loops.insert(isLast ? loops.end() - 1 : loops.end(), sizeOf(t.b, dim.stride));
  }
  return loops;
}

/// The elements in their order, without those behind the image.
Tensor imageOf(const Tensors &t, Tensor x, ArrayRef<ImageDim> dims) {
  if (dims.back().hasPhase()) {
    SmallVector<int64_t> order;
    for (int64_t d = 0; d < x.rank(); ++d)
      order.push_back(d);
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    x = t.transpose(x, order);
  }
  Sizes whole{t.size(x, 0), t.size(x, 1)}, kept = whole;
  for (const ImageDim &dim : dims) {
    whole.push_back(mul(t.b, t.loc, dim.steps(t.b, t.loc), sizeOf(t.b, dim.stride)));
    kept.push_back(dim.size);
  }
  x = t.reshape(x, whole);
  if (llvm::all_of(llvm::zip(whole, kept), [](auto pair) { return sameSize(std::get<0>(pair), std::get<1>(pair)); }))
    return x;
  return t.slice(x, Sizes(whole.size(), sizeOf(t.b, 0)), kept, Sizes(whole.size(), sizeOf(t.b, 1)));
}

/// Which tap and window an iteration is about.
struct Covering {
  Value tap, window;
  SmallVector<Value, 2> conditions; ///< beside that the window is one of the dim's
};

Covering coveringOf(OpBuilder &b, Location loc, const ImageDim &dim, unsigned tapLoop) {
  auto index = [&](unsigned loop) -> Value { return b.create<linalg::IndexOp>(loc, loop); };
  auto constant = [&](int64_t value) -> Value { return b.create<arith::ConstantIndexOp>(loc, value); };
  auto sum = [&](Value x, Value y) -> Value { return b.create<arith::AddIOp>(loc, x, y); };
  auto product = [&](Value x, int64_t y) -> Value { return b.create<arith::MulIOp>(loc, x, constant(y)); };
  auto apply = [&](AffineExpr expr, ValueRange values) -> Value {
    return b.create<affine::AffineApplyOp>(loc, AffineMap::get(values.size(), 0, expr), values);
  };
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  Value step = index(dim.step), tap = index(tapLoop);
  if (!dim.hasPhase())
    return {tap, b.create<arith::SubIOp>(loc, sum(step, constant(dim.pad)), product(tap, dim.dilation)), {}};
  Value phase = index(dim.phase);
  if (dim.isByPhase()) {
    bool isAligned = dim.pad % dim.stride == 0;
    Value first = isAligned ? phase : apply((d0 + dim.pad) % dim.stride, phase),
          ahead = isAligned ? constant(dim.pad / dim.stride) : apply((d0 + dim.pad).floorDiv(dim.stride), phase);
    Covering covering{sum(first, product(tap, dim.stride)), b.create<arith::SubIOp>(loc, sum(step, ahead), tap), {}};
    if (std::optional<int64_t> taps = constantOf(dim.taps); !taps || *taps % dim.stride != 0)
      covering.conditions.push_back(
          b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, covering.tap, toValue(b, loc, dim.taps)));
    return covering;
  }
  AffineExpr start = d0 + dim.pad - d1 * dim.dilation;
  Value rest = apply(start % dim.stride, {phase, tap});
  return {tap,
          sum(step, apply(start.floorDiv(dim.stride), {phase, tap})),
          {b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, rest, constant(0))}};
}

/// Whether windows and taps are where an affine map of the loops says, once zeros are around them.
bool arePlacesAffine(ArrayRef<ImageDim> dims) {
  return llvm::all_of(dims, [](const ImageDim &dim) {
    return constantOf(dim.size).value_or(0) > 0 && constantOf(dim.taps).value_or(0) > 0 &&
           constantOf(dim.windows).value_or(0) > 0 && (dim.stride == 1 || dim.dilation == 1);
  });
}

/// The image, of columns with as many zeros around them as taps and windows that are not there are asked for.
Tensor sumOfPadded(Op &op, Tensor x, Size batch, Size channels, ArrayRef<ImageDim> imageDims) {
  OpBuilder &b = op.b;
  SmallVector<ImageDim> dims(imageDims);
  // Elements count from the first one at a window's beginning, as far as it lies at most a stride before the image.
  for (ImageDim &dim : dims)
    dim.size = sizeOf(b, *constantOf(dim.size) + dim.pad % dim.stride);
  Sizes tapLoops, loops = loopsOf(op, batch, channels, dims);
  const unsigned outer = loops.size(), rank = dims.size();
  SmallVector<AffineExpr> tapExprs, reads{b.getAffineDimExpr(0), b.getAffineDimExpr(1)};
  SmallVector<AffineExpr> windowExprs;
  Sizes parts{batch, channels}, low(2 + 2 * rank, sizeOf(b, 0)), high = low;
  for (auto [d, dim] : llvm::enumerate(dims)) {
    const int64_t taps = *constantOf(dim.taps), windows = *constantOf(dim.windows),
                  steps = *constantOf(dim.steps(b, op.loc)), trips = *constantOf(dim.tapLoops(b, op.loc)),
                  ahead = dim.pad / dim.stride, reach = (trips - 1) * dim.dilation,
                  first = std::max<int64_t>(reach - ahead, 0);
    AffineExpr tap = b.getAffineDimExpr(outer + d), step = b.getAffineDimExpr(dim.step);
    reads.push_back(dim.hasPhase() ? b.getAffineDimExpr(dim.phase) + tap * dim.stride : tap);
    windowExprs.push_back(step - tap * dim.dilation + (ahead + first));
    tapExprs.push_back(tap);
    tapLoops.push_back(sizeOf(b, trips));
    parts.push_back(dim.taps);
    high[2 + d] = sizeOf(b, trips * dim.stride - taps);
    low[2 + rank + d] = sizeOf(b, first);
    high[2 + rank + d] = sizeOf(b, std::max<int64_t>(steps + ahead - windows, 0));
  }
  for (const ImageDim &dim : dims)
    parts.push_back(dim.windows);
  reads.append(windowExprs);
  Scalars given{b, op.loc, x.element};
  x = op.pad(op.reshape(x, parts), low, high, narrow(b, op.loc, x.element, given.constant(0)));
  ElementType sums = computedAs(x.element);
  Tensor init = op.filled(loops, sums, narrow(b, op.loc, sums, Scalars{b, op.loc, sums}.constant(0)));
  Tensor shape = op.empty(tapLoops, ElementType::Bool); // never read: tells how many trips
  AffineMap maps[] = {AffineMap::get(outer + rank, 0, reads, b.getContext()),
                      AffineMap::get(outer + rank, 0, tapExprs, b.getContext()),
                      AffineMap::getMultiDimIdentityMap(outer + rank, b.getContext()).getMajorSubMap(outer)};
  SmallVector<utils::IteratorType> iterators(outer, utils::IteratorType::parallel);
  iterators.append(rank, utils::IteratorType::reduction);
  auto generic = b.create<linalg::GenericOp>(op.loc, init.type(), ValueRange{x.value, shape.value}, init.value, maps,
                                             iterators, [&](OpBuilder &nb, Location nl, ValueRange v) {
                                               Value element = Scalars{nb, nl, x.element}.castTo(
                                                   sums, widen(nb, nl, x.element, v[0]));
                                               nb.create<linalg::YieldOp>(nl, Scalars{nb, nl, sums}.add(v[2], element));
                                             });
  Tensor y = imageOf(op, {generic.getResult(0), sums}, dims);
  Sizes offsets{sizeOf(b, 0), sizeOf(b, 0)}, kept{batch, channels};
  for (const ImageDim &dim : imageDims) {
    offsets.push_back(sizeOf(b, dim.pad % dim.stride));
    kept.push_back(dim.size);
  }
  return op.slice(y, offsets, kept, Sizes(kept.size(), sizeOf(b, 1)));
}

LogicalResult lowerCol2im(Op &op) {
  Tensor x = op.input(0);
  if (x.element == ElementType::String)
    return op.unsupported("Col2Im of strings, which cannot be added");
  FailureOr<Sizes> image = op.elements(1, "image_shape");
  std::optional<SmallVector<int64_t>> block = op.constantIntegers(2);
  if (failed(image))
    return failure();
  int64_t rank = image->size();
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0);
  SmallVector<int64_t> strides = op.integers("strides", ones), dilations = op.integers("dilations", ones),
                       pads = op.integers("pads", zeros);
  FailureOr<Sizes> blockSizes = op.elements(2, "block_shape");
  if (failed(blockSizes))
    return failure();
  if (x.rank() != 3 || static_cast<int64_t>(blockSizes->size()) != rank ||
      static_cast<int64_t>(strides.size()) != rank || static_cast<int64_t>(dilations.size()) != rank ||
      static_cast<int64_t>(pads.size()) != 2 * rank)
    return op.fail(Code::ShapeMismatch, "image_shape, block_shape, strides, dilations or pads do not fit together");
  Size columns = op.size(x, 2), rows = op.size(x, 1), taps = product(op.b, op.loc, *blockSizes);
  Sizes sizes{op.size(x, 0), block ? divide(op.b, op.loc, rows, taps) : rows};
  llvm::append_range(sizes, *image);
  if (!block) // the number of channels is then what the model declares
    if (std::optional<Sizes> declared = declaredSizes(op); declared && declared->size() == sizes.size())
      sizes[1] = (*declared)[1];
  FailureOr<Sizes> bounded = boundedSizes(op, sizes);
  if (failed(bounded))
    return failure();
  // Windows per dim.
  Sizes windows;
  for (int64_t d = 0; d < rank; ++d) {
    Size extent =
        add(op.b, op.loc,
            mul(op.b, op.loc, sub(op.b, op.loc, (*blockSizes)[d], sizeOf(op.b, 1)), sizeOf(op.b, dilations[d])),
            sizeOf(op.b, 1));
    Size padded = add(op.b, op.loc, (*bounded)[d + 2], sizeOf(op.b, pads[d] + pads[rank + d]));
    windows.push_back(
        add(op.b, op.loc, floorDiv(op.b, op.loc, sub(op.b, op.loc, padded, extent), strides[d]), sizeOf(op.b, 1)));
  }
  if (failed(
          mustBeEqual(op, columns, product(op.b, op.loc, windows), "'input' does not have a column for each window")))
    return failure();
  x = neverEmpty(op, x, {1, 2});
  // Loops: image dims, then taps as one vector's worth of trips, told by an operand that is never read.
  OpBuilder &b = op.b;
  SmallVector<ImageDim> dims;
  Sizes tapLoops;
  for (int64_t d = 0; d < rank; ++d) {
    dims.push_back(
        {strides[d], dilations[d], pads[d], (*bounded)[d + 2], within(op, (*blockSizes)[d], rows), windows[d]});
    tapLoops.push_back(dims.back().tapLoops(b, op.loc));
  }
  if (block && constantOf(rows) && constantOf(columns) && arePlacesAffine(dims))
    return op.result(op.cast(sumOfPadded(op, x, (*bounded)[0], (*bounded)[1], dims), x.element));
  Sizes loops = loopsOf(op, (*bounded)[0], (*bounded)[1], dims);
  unsigned outer = loops.size();
  ElementType sums = computedAs(x.element);
  Tensor init = op.filled(loops, sums, narrow(b, op.loc, sums, Scalars{b, op.loc, sums}.constant(0)));
  Tensor shape = op.empty(tapLoops, ElementType::Bool);
  SmallVector<AffineExpr> tapExprs;
  for (int64_t d = 0; d < rank; ++d)
    tapExprs.push_back(b.getAffineDimExpr(outer + d));
  AffineMap maps[] = {AffineMap::get(outer + rank, 0, tapExprs, b.getContext()),
                      AffineMap::getMultiDimIdentityMap(outer + rank, b.getContext()).getMajorSubMap(outer)};
  SmallVector<utils::IteratorType> iterators(outer, utils::IteratorType::parallel);
  iterators.append(rank, utils::IteratorType::reduction);
  bool areWindowsKnown = constantOf(columns) && llvm::all_of(windows, [](Size size) { return constantOf(size); });
  auto generic = b.create<linalg::GenericOp>(
      op.loc, init.type(), shape.value, init.value, maps, iterators, [&](OpBuilder &nb, Location nl, ValueRange v) {
        auto size = [&](Size s) { return toValue(nb, nl, s); };
        Value zero = nb.create<arith::ConstantIndexOp>(nl, 0), row = nb.create<linalg::IndexOp>(nl, 1), column = zero,
              inside = nb.create<arith::ConstantOp>(nl, nb.getBoolAttr(true));
        auto require = [&](Value condition) { inside = nb.create<arith::AndIOp>(nl, inside, condition); };
        auto requireLess = [&](Value x, Value y) {
          require(nb.create<arith::CmpIOp>(nl, arith::CmpIPredicate::slt, x, y));
        };
        for (auto [d, dim] : llvm::enumerate(dims)) {
          Covering covering = coveringOf(nb, nl, dim, outer + d);
          llvm::for_each(covering.conditions, require);
          require(nb.create<arith::CmpIOp>(nl, arith::CmpIPredicate::sge, covering.window, zero));
          requireLess(covering.window, size(dim.windows));
          row = nb.create<arith::AddIOp>(nl, nb.create<arith::MulIOp>(nl, row, size(dim.taps)), covering.tap);
          column =
              nb.create<arith::AddIOp>(nl, nb.create<arith::MulIOp>(nl, column, size(dim.windows)), covering.window);
        }
        // What sizes of run time say may not fit the input, which is an error by now.
        if (!block || !constantOf(rows))
          requireLess(row, size(rows));
        if (!areWindowsKnown)
          requireLess(column, size(columns));
        Value at[] = {nb.create<linalg::IndexOp>(nl, 0), nb.create<arith::SelectOp>(nl, inside, row, zero),
                      nb.create<arith::SelectOp>(nl, inside, column, zero)};
        Scalars s{nb, nl, sums};
        Value read = nb.create<tensor::ExtractOp>(nl, x.value, at);
        Value element = Scalars{nb, nl, x.element}.castTo(sums, widen(nb, nl, x.element, read));
        nb.create<linalg::YieldOp>(nl, s.select(inside, s.add(v[1], element), v[1]));
      });
  return op.result(op.cast(imageOf(op, {generic.getResult(0), sums}, dims), x.element));
}
} // namespace

void register_col2im(Registry &registry) {
  registry.onOp("Col2Im", {18},
                "input[N,C,L] image_shape[D] block_shape[D] strides[D] strides>=1 dilations[D] dilations>=1 pads[2*D] "
                "value(block_shape)>=1 C%product(value(block_shape))=0",
                lowerCol2im);
}

} // namespace sinter
