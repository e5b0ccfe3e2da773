// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quantized_products.h"

#include "contraction.h"
#include "conversion.h"
#include "quantization.h"

using namespace mlir;

namespace sinter {

namespace {
/// Dim `d` split into groups: [..., group, size / group, ...].
Tensor grouped(Op &op, Tensor x, int64_t d, int64_t group) {
  Sizes sizes = op.sizes(x);
  sizes[d] = floorDiv(op.b, op.loc, sizes[d], group);
  sizes.insert(sizes.begin() + d, sizeOf(op.b, group));
  return op.reshape(x, sizes);
}

Tensor convolveIntegers(Op &op, Tensor x, Tensor w, const Window &window, int64_t group) {
  OpBuilder &b = op.b;
  Scalars zero{b, op.loc, ElementType::Int32};
  Tensor input = grouped(op, padSpatial(op, x, window.low, window.high, zero.constant(0)), 1, group),
         filter = grouped(op, w, 0, group);

  // Loops: n, g, k, outputs..., c, taps...
  int64_t spatial = window.rank(), loops = 4 + 2 * spatial;
  auto loop = [&](int64_t i) { return b.getAffineDimExpr(i); };
  AffineExpr n = loop(0), g = loop(1), k = loop(2), c = loop(3 + spatial);
  SmallVector<AffineExpr> inputAt{n, g, c}, filterAt{g, k, c}, outputAt{n, g, k};
  Sizes sizes{op.size(x, 0), sizeOf(b, group), op.size(filter, 1)};
  for (int64_t i = 0; i < spatial; ++i) {
    AffineExpr out = loop(3 + i), tap = loop(4 + spatial + i);
    inputAt.push_back(out * window.strides[i] + tap * window.dilations[i]);
    filterAt.push_back(tap);
    outputAt.push_back(out);
    sizes.push_back(window.outputs[i]);
  }
  AffineMap maps[] = {AffineMap::get(loops, 0, inputAt, b.getContext()),
                      AffineMap::get(loops, 0, filterAt, b.getContext()),
                      AffineMap::get(loops, 0, outputAt, b.getContext())};
  SmallVector<utils::IteratorType> iterators(3 + spatial, utils::IteratorType::parallel);
  iterators.append(1 + spatial, utils::IteratorType::reduction);
  Tensor init = op.filled(sizes, ElementType::Int32, zero.constant(0));
  auto generic = b.create<linalg::GenericOp>(op.loc, init.type(), ValueRange{input.value, filter.value}, init.value,
                                             maps, iterators, [](OpBuilder &nb, Location loc, ValueRange v) {
                                               Scalars s{nb, loc, ElementType::Int32};
                                               nb.create<linalg::YieldOp>(loc, s.add(v[2], s.mul(v[0], v[1])));
                                             });
  Sizes result{sizes[0], op.size(w, 0)};
  result.append(sizes.begin() + 3, sizes.end());
  return op.reshape({generic.getResult(0), ElementType::Int32}, result);
}

/// An operand as signed 8 bits, and its zero point as int32, both less 128 where they were unsigned. The zero point is
/// null where it is 0.
struct Signed {
  Tensor x, zero;
};

bool isZero(Op &op, Tensor x) {
  std::optional<HostTensor> host = evaluate(x.value, op.conversion.evaluations);
  if (!host)
    return false;
  for (int64_t i = 0; i < host->size(); ++i)
    if (host->integerAt(i))
      return false;
  return true;
}

Signed asSigned(Op &op, Tensor x, Tensor zero) {
  bool shifted = x.element == ElementType::UInt8;
  Scalars wide{op.b, op.loc, ElementType::Int32};
  if (shifted)
    x = op.elementwise({x}, ElementType::Int8, [](const Scalars &s, ValueRange v) -> Value {
      return s.b.create<arith::XOrIOp>(s.loc, v[0], s.integer(128));
    });
  if (!zero && shifted)
    zero = op.filled({}, ElementType::Int32, wide.constant(-128));
  else if (zero)
    zero = op.elementwise({zero}, ElementType::Int32, [&](const Scalars &s, ValueRange v) {
      Scalars w{s.b, s.loc, ElementType::Int32};
      Value z = s.castTo(ElementType::Int32, v[0]);
      return shifted ? w.sub(z, w.constant(128)) : z;
    });
  if (zero && isZero(op, zero))
    zero = {};
  return {x, zero};
}

Tensor sumOver(Op &op, Tensor x, ArrayRef<int64_t> axes, bool keep) {
  return op.reduce(
      x, axes, keep, ElementType::Int32, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); });
}

/// sums - zero * others, broadcast.
Tensor lessProduct(Op &op, Tensor sums, Tensor zero, Tensor others) {
  return op.elementwise({sums, zero, others}, ElementType::Int32,
                        [](const Scalars &s, ValueRange v) { return s.sub(v[0], s.mul(v[1], v[2])); });
}
} // namespace

FailureOr<Tensor> quantizedMatmul(Op &op, Tensor a, Tensor aZero, Tensor b, Tensor bZero) {
  if (!a.rank() || !b.rank())
    return op.fail(Code::ShapeMismatch, "a matrix product of a scalar");
  bool row = a.rank() == 1, column = b.rank() == 1;
  a = row ? op.unsqueeze(a, 0) : a;
  b = column ? op.unsqueeze(b, 1) : b;
  if (aZero && aZero.rank() == 1)
    aZero = alongAxis(op, aZero, a.rank() - 2, a.rank());
  Signed lhs = asSigned(op, a, aZero), rhs = asSigned(op, b, bZero);
  FailureOr<Tensor> product = matmul(op, lhs.x, rhs.x, false, false, ElementType::Int32);
  if (failed(product))
    return failure();
  Tensor y = *product;
  Tensor columns = lhs.zero ? sumOver(op, rhs.x, rhs.x.rank() - 2, true) : Tensor();
  if (lhs.zero && rhs.zero) { // sum (b - w) instead of sum b: k z w goes with it
    Size depth = op.size(rhs.x, rhs.x.rank() - 2);
    columns = op.elementwise({columns, rhs.zero}, ElementType::Int32, [&](const Scalars &s, ValueRange v) {
      Value k = s.b.create<arith::IndexCastOp>(s.loc, s.b.getI32Type(), toValue(s.b, s.loc, depth));
      return s.sub(v[0], s.mul(k, v[1]));
    });
  }
  if (lhs.zero)
    y = lessProduct(op, y, lhs.zero, columns);
  if (rhs.zero)
    y = lessProduct(op, y, rhs.zero, sumOver(op, lhs.x, lhs.x.rank() - 1, true));
  SmallVector<int64_t> vanishing;
  if (row)
    vanishing.push_back(y.rank() - 2);
  if (column)
    vanishing.push_back(y.rank() - 1);
  return vanishing.empty() ? y : op.squeeze(y, vanishing);
}

FailureOr<Tensor> quantizedConvolve(Op &op, Tensor x, Tensor xZero, Tensor w, Tensor wZero, const Window &given,
                                    int64_t group) {
  Signed input = asSigned(op, x, xZero ? op.reshape(xZero, {}) : xZero), filter = asSigned(op, w, wZero);
  if (filter.zero) { // rare: filters are symmetric. Operands are widened and their zero points taken off at once.
    auto centered = [&](const Signed &of, Tensor zero) {
      Tensor wide = op.cast(of.x, ElementType::Int32);
      return zero ? op.elementwise({wide, zero}, ElementType::Int32,
                                   [](const Scalars &s, ValueRange v) { return s.sub(v[0], v[1]); })
                  : wide;
    };
    return convolveIntegers(op, centered(input, input.zero), centered(filter, alongAxis(op, filter.zero, 0, w.rank())),
                            given, group);
  }
  Window window = given;
  if (input.zero && window.hasPads()) { // what lies outside is the zero point
    Value outside = op.b.create<tensor::ExtractOp>(op.loc, input.zero.value, ValueRange());
    outside = op.b.create<arith::TruncIOp>(op.loc, op.b.getI8Type(), outside);
    input.x = padSpatial(op, input.x, window.low, window.high, outside);
    window.low.assign(window.rank(), sizeOf(op.b, 0));
    window.high = window.low;
  }
  Tensor y = convolve(op, input.x, filter.x, window, group, ElementType::Int32);
  if (!input.zero)
    return y;
  Tensor sums = sumOver(op, filter.x, llvm::to_vector(llvm::seq<int64_t>(1, w.rank())), false);
  return lessProduct(op, y, input.zero, alongAxis(op, sums, 1, y.rank()));
}

} // namespace sinter
