// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Range: start, start + delta, ... below (above, for a negative delta) limit. How many follows from dims where it can;
// from data it needs a bound.
#include "ops/math.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {

namespace {
/// Element 0 of operand i, in compute form.
Value scalarOperand(Op &op, OpBuilder &b, unsigned i) {
  Tensor x = op.input(i);
  SmallVector<Value> zeros(x.rank(), b.create<arith::ConstantIndexOp>(op.loc, 0));
  return widen(b, op.loc, x.element, b.create<tensor::ExtractOp>(op.loc, x.value, zeros));
}

/// Integers with a known step: arithmetic on sizes, which knows about symbolic dims.
FailureOr<Size> symbolicCount(Op &op, int64_t delta) {
  FailureOr<Sizes> start = op.elements(0, "start"), limit = op.elements(1, "limit");
  if (failed(start) || failed(limit))
    return failure();
  Size span =
      delta > 0 ? sub(op.b, op.loc, limit->front(), start->front()) : sub(op.b, op.loc, start->front(), limit->front());
  return maximum(op.b, op.loc, ceilDiv(op.b, op.loc, span, std::abs(delta)), sizeOf(op.b, 0));
}

/// ceil((limit - start) / delta), at least 0, in double.
Size computedCount(Op &op) {
  Scalars s{op.b, op.loc, ElementType::Double}, x{op.b, op.loc, op.input(0).element};
  auto operand = [&](unsigned i) { return x.castTo(ElementType::Double, scalarOperand(op, op.b, i)); };
  Value quotient = s.div(s.sub(operand(1), operand(0)), operand(2));
  Value count = s.max(s.b.create<math::CeilOp>(op.loc, quotient), s.constant(0));
  Value whole = op.b.create<arith::FPToSIOp>(op.loc, op.b.getI64Type(), count);
  return getAsOpFoldResult(op.b.createOrFold<arith::IndexCastOp>(op.loc, op.b.getIndexType(), whole));
}

FailureOr<Size> countOf(Op &op) {
  if (isInteger(op.input(0).element)) {
    if (auto delta = op.constantIntegers(2))
      return delta->front() ? symbolicCount(op, delta->front())
                            : FailureOr<Size>(op.fail(Code::ShapeMismatch, "'delta' is 0"));
    return computedCount(op);
  }
  auto start = op.constantReals(0), limit = op.constantReals(1), delta = op.constantReals(2);
  if (!start || !limit || !delta)
    return computedCount(op);
  double count = std::ceil((limit->front() - start->front()) / delta->front());
  if (!(count < 1e12))
    return op.fail(Code::ShapeMismatch, "the range has no end");
  return sizeOf(op.b, count > 0 ? static_cast<int64_t>(count) : 0);
}
} // namespace

void register_range(Registry &registry) {
  registry.onOp("Range", {11, 27}, "start[]|[1] limit[]|[1] delta[]|[1]", [](Op &op) {
    FailureOr<Size> count = countOf(op);
    if (failed(count))
      return failure();
    FailureOr<Sizes> sizes = boundedSizes(op, *count);
    if (failed(sizes))
      return failure();
    ElementType type = op.input(0).element;
    return op.result(op.generate(*sizes, type, [&](OpBuilder &b, ValueRange at) {
      Scalars s{b, op.loc, type};
      Value index = b.create<arith::IndexCastOp>(op.loc, b.getI64Type(), at[0]);
      Value steps = Scalars{b, op.loc, ElementType::Int64}.castTo(type, index);
      return narrow(b, op.loc, type, s.add(scalarOperand(op, b, 0), s.mul(steps, scalarOperand(op, b, 2))));
    }));
  });
}

} // namespace sinter
