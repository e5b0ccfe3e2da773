// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Col2Im: each image element is the sum over the taps of the block whose window covers it: a reduction that reads
// columns.
#include "ops/norms.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

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
  int64_t outer = rank + 2;
  ElementType sums = computedAs(x.element);
  Tensor init = op.filled(*bounded, sums, narrow(b, op.loc, sums, Scalars{b, op.loc, sums}.constant(0)));
  Sizes tapSizes;
  for (Size size : *blockSizes)
    tapSizes.push_back(within(op, size, rows));
  Tensor shape = op.empty(tapSizes, ElementType::Bool);
  SmallVector<AffineExpr> kept, tapExprs;
  for (int64_t d = 0; d < outer; ++d)
    kept.push_back(b.getAffineDimExpr(d));
  for (int64_t d = 0; d < rank; ++d)
    tapExprs.push_back(b.getAffineDimExpr(outer + d));
  AffineMap maps[] = {AffineMap::get(outer + rank, 0, tapExprs, b.getContext()),
                      AffineMap::get(outer + rank, 0, kept, b.getContext())};
  SmallVector<utils::IteratorType> iterators(outer, utils::IteratorType::parallel);
  iterators.append(rank, utils::IteratorType::reduction);
  auto generic = b.create<linalg::GenericOp>(
      op.loc, init.type(), shape.value, init.value, maps, iterators, [&](OpBuilder &nb, Location nl, ValueRange v) {
        auto constant = [&](int64_t value) -> Value { return nb.create<arith::ConstantIndexOp>(nl, value); };
        auto size = [&](Size s) { return toValue(nb, nl, s); };
        Value row = nb.create<linalg::IndexOp>(nl, 1), column = constant(0),
              inside = nb.create<arith::ConstantOp>(nl, nb.getBoolAttr(true));
        auto require = [&](arith::CmpIPredicate predicate, Value x, Value y) {
          inside = nb.create<arith::AndIOp>(nl, inside, nb.create<arith::CmpIOp>(nl, predicate, x, y));
        };
        for (int64_t d = 0; d < rank; ++d) {
          Value tap = nb.create<linalg::IndexOp>(nl, outer + d), place = nb.create<linalg::IndexOp>(nl, d + 2);
          row = nb.create<arith::AddIOp>(nl, nb.create<arith::MulIOp>(nl, row, size(tapSizes[d])), tap);
          Value shifted = nb.create<arith::AddIOp>(nl, place, constant(pads[d]));
          Value start =
              nb.create<arith::SubIOp>(nl, shifted, nb.create<arith::MulIOp>(nl, tap, constant(dilations[d])));
          Value window = nb.create<arith::DivSIOp>(nl, start, constant(strides[d]));
          require(arith::CmpIPredicate::sge, start, constant(0));
          require(arith::CmpIPredicate::eq, nb.create<arith::MulIOp>(nl, window, constant(strides[d])), start);
          require(arith::CmpIPredicate::slt, window, size(windows[d]));
          column = nb.create<arith::AddIOp>(nl, nb.create<arith::MulIOp>(nl, column, size(windows[d])), window);
        }
        require(arith::CmpIPredicate::slt, row, size(rows));
        require(arith::CmpIPredicate::slt, column, size(columns));
        Value zero = constant(0);
        Value at[] = {nb.create<linalg::IndexOp>(nl, 0), nb.create<arith::SelectOp>(nl, inside, row, zero),
                      nb.create<arith::SelectOp>(nl, inside, column, zero)};
        Scalars s{nb, nl, sums};
        Value read = nb.create<tensor::ExtractOp>(nl, x.value, at);
        Value element = Scalars{nb, nl, x.element}.castTo(sums, widen(nb, nl, x.element, read));
        nb.create<linalg::YieldOp>(nl, s.add(v[1], s.select(inside, element, s.constant(0))));
      });
  return op.result(op.cast({generic.getResult(0), sums}, x.element));
}
} // namespace

void register_col2im(Registry &registry) {
  registry.onOp("Col2Im", {18},
                "input[N,C,L] image_shape[D] block_shape[D] strides[D] strides>=1 dilations[D] dilations>=1 pads[2*D] "
                "value(block_shape)>=1 C%product(value(block_shape))=0",
                lowerCol2im);
}

} // namespace sinter
