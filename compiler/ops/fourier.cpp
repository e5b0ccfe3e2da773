// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fourier.h"

#include "contraction.h"
#include "norms.h"

using namespace mlir;

namespace sinter {

FailureOr<Tensor> fourier(Op &op, Tensor x, const Transform &transform) {
  OpBuilder &b = op.b;
  Size length = transform.length, half = add(b, op.loc, floorDiv(b, op.loc, length, 2), sizeOf(b, 1));
  bool toReal = transform.inverse && transform.onesided;
  Size most = toReal ? half : length, outputs = transform.onesided && !transform.inverse ? half : length;
  Sizes sizes = op.sizes(x);
  std::optional<int64_t> parts = constantOf(sizes[2]);
  if (!parts)
    return op.fail(Code::ShapeNotConstant, "the last dim of a signal is not known at compile time",
                   "give the dim that it depends on: --dim NAME=N");
  if (parts != 1 && parts != 2)
    return op.fail(Code::ShapeMismatch, "the last dim of a signal is neither 1 (real) nor 2 (complex)");
  // Entries beyond the length are cut; missing ones need no padding, their rows of the table are left out.
  Size rows = minimum(b, op.loc, sizes[1], most);
  SmallVector<Size> zeros(3, sizeOf(b, 0)), ones(3, sizeOf(b, 1));
  x = op.slice(x, zeros, {sizes[0], rows, sizes[2]}, ones);
  Sizes table{rows, sizes[2], outputs, sizeOf(b, toReal ? 1 : 2)};
  Tensor weights = op.generate(table, ElementType::Double, [&](OpBuilder &nb, ValueRange at) -> Value {
    Scalars s{nb, op.loc, ElementType::Double};
    Value n = toValue(nb, op.loc, length), zero = nb.create<arith::ConstantIndexOp>(op.loc, 0);
    // The product is reduced before it becomes an angle, which keeps large ones exact.
    Value turns = nb.create<arith::RemUIOp>(op.loc, nb.create<arith::MulIOp>(op.loc, at[0], at[2]), n),
          count = indexAsFloat(s, n);
    Value angle = s.div(s.mul(indexAsFloat(s, turns), s.constant((transform.inverse ? 2 : -2) * M_PI)), count);
    Value cosine = nb.create<math::CosOp>(op.loc, angle), sine = nb.create<math::SinOp>(op.loc, angle);
    auto isZero = [&](Value index) -> Value {
      return nb.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, index, zero);
    };
    Value fromReal = s.select(isZero(at[3]), cosine, sine),
          fromImaginary = s.select(isZero(at[3]), s.neg(sine), cosine);
    Value weight = s.select(isZero(at[1]), fromReal, fromImaginary);
    if (!transform.inverse)
      return weight;
    weight = s.div(weight, count);
    if (!toReal)
      return weight;
    // Entries but the first, and the middle one of an even length, stand for their mirror images too.
    Value twice = nb.create<arith::AddIOp>(op.loc, at[0], at[0]);
    Value middle = nb.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, twice, n);
    Value single = nb.create<arith::OrIOp>(op.loc, isZero(at[0]), middle);
    return s.select(single, weight, s.add(weight, weight));
  });
  Size inner = mul(b, op.loc, rows, sizes[2]), outer = mul(b, op.loc, outputs, table[3]);
  Tensor matrix = op.cast(op.reshape(weights, {inner, outer}), x.element);
  FailureOr<Tensor> y = matmul(op, op.reshape(x, {sizes[0], inner}), matrix);
  return failed(y) ? y : FailureOr<Tensor>(op.reshape(*y, {sizes[0], outputs, table[3]}));
}

} // namespace sinter
