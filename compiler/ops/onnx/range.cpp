// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Range: start, start + delta, ... below (above, for a negative delta) limit. How many follows from dims where it can;
// from data it needs a bound.
#include "ops/conversion.h"
#include "ops/math.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {

namespace {
/// Element 0 of operand i, in compute form.
Value rangeOperand(Op &op, OpBuilder &b, unsigned i) {
  Tensor x = op.input(i);
  SmallVector<Value> zeros(x.rank(), b.create<arith::ConstantIndexOp>(op.loc, 0));
  return widen(b, op.loc, x.element, b.create<tensor::ExtractOp>(op.loc, x.value, zeros));
}

/// With a known step of whole numbers: arithmetic on sizes, which knows about symbolic dims.
Size symbolicCount(const Tensors &t, Size start, Size limit, int64_t delta) {
  Size span = delta > 0 ? sub(t.b, t.loc, limit, start) : sub(t.b, t.loc, start, limit);
  return maximum(t.b, t.loc, ceilDiv(t.b, t.loc, span, std::abs(delta)), sizeOf(t.b, 0));
}

/// A float operand that is a whole number made of sizes.
std::optional<Size> wholeOperand(Op &op, unsigned i) {
  Tensor x = op.input(i);
  SmallVector<int64_t> zeros(x.rank(), 0);
  Value element = elementOf(op.b, op.loc, x.value, zeros, op.conversion.evaluations);
  return sizeOfWhole(op.b, op.loc, widen(op.b, op.loc, x.element, element));
}

/// ceil((limit - start) / delta), at least 0, in double.
Size computedCount(Op &op) {
  Scalars s{op.b, op.loc, ElementType::Double}, x{op.b, op.loc, op.input(0).element};
  auto operand = [&](unsigned i) { return x.castTo(ElementType::Double, rangeOperand(op, op.b, i)); };
  Value quotient = s.div(s.sub(operand(1), operand(0)), operand(2));
  Value count = s.max(s.b.create<math::CeilOp>(op.loc, quotient), s.constant(0));
  Value whole = op.b.create<arith::FPToSIOp>(op.loc, op.b.getI64Type(), count);
  return getAsOpFoldResult(op.b.createOrFold<arith::IndexCastOp>(op.loc, op.b.getIndexType(), whole));
}

FailureOr<Size> rangeCountOf(Op &op) {
  if (isInteger(op.input(0).element)) {
    auto delta = op.constantIntegers(2);
    if (!delta)
      return computedCount(op);
    if (delta->front() == 0)
      return op.fail(Code::ShapeMismatch, "'delta' is 0");
    FailureOr<Sizes> start = op.elements(0, "start"), limit = op.elements(1, "limit");
    if (failed(start) || failed(limit))
      return failure();
    return symbolicCount(op, start->front(), limit->front(), delta->front());
  }
  auto start = op.constantReals(0), limit = op.constantReals(1), delta = op.constantReals(2);
  if (!start || !limit || !delta) {
    std::optional<Size> from = wholeOperand(op, 0), to = wholeOperand(op, 1), step = wholeOperand(op, 2);
    std::optional<int64_t> fixed = step ? constantOf(*step) : std::nullopt;
    return from && to && fixed.value_or(0) ? symbolicCount(op, *from, *to, *fixed) : computedCount(op);
  }
  double count = std::ceil((limit->front() - start->front()) / delta->front());
  if (!(count < 1e12))
    return op.fail(Code::ShapeMismatch, "the range has no end");
  return sizeOf(op.b, count > 0 ? static_cast<int64_t>(count) : 0);
}
} // namespace

void register_range(Registry &registry) {
  registry.onOp("Range", {11, 27}, "start[]|[1] limit[]|[1] delta[]|[1]", [](Op &op) {
    FailureOr<Size> count = rangeCountOf(op);
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
      return narrow(b, op.loc, type, s.add(rangeOperand(op, b, 0), s.mul(steps, rangeOperand(op, b, 2))));
    }));
  });
}

} // namespace sinter
