// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trilu: the upper or lower triangle of matrices, from the k-th diagonal on. EyeLike: ones on the k-th diagonal.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {

namespace {
/// Column less row, as int64.
Value diagonalHere(const Scalars &s, int64_t rank) {
  Value row = s.b.create<linalg::IndexOp>(s.loc, rank - 2), column = s.b.create<linalg::IndexOp>(s.loc, rank - 1);
  return s.b.create<arith::IndexCastOp>(s.loc, s.b.getI64Type(), s.b.create<arith::SubIOp>(s.loc, column, row));
}

/// Zero in storage form.
Value zeroElement(const Scalars &s, ElementType type) {
  return narrow(s.b, s.loc, type, Scalars{s.b, s.loc, type}.constant(0));
}

LogicalResult lowerTrilu(Op &op) {
  Tensor x = op.input(0);
  if (x.rank() < 2)
    return op.fail(Code::ShapeMismatch, "the input is not a matrix");
  bool upper = op.integer("upper", 1);
  std::optional<SmallVector<int64_t>> known = SmallVector<int64_t>{0};
  if (op.has(1))
    known = op.constantIntegers(1);
  SmallVector<Tensor> operands{x};
  if (!known)
    operands.push_back(op.reshape(op.input(1), {}));
  return op.result(op.elementwiseRaw(operands, x.element, [&](const Scalars &s, ValueRange v) {
    Scalars index{s.b, s.loc, ElementType::Int64};
    Value k = known ? index.integer(known->front()) : v[1];
    Value kept = index.compare(upper ? Compare::GreaterOrEqual : Compare::LessOrEqual, diagonalHere(s, x.rank()), k);
    return s.select(kept, v[0], zeroElement(s, x.element));
  }));
}

LogicalResult eyeLike(Op &op) {
  Tensor x = op.input(0);
  if (x.rank() != 2)
    return op.fail(Code::ShapeMismatch, "the input is not a matrix");
  int64_t k = op.integer("k");
  ElementType type = op.hasAttribute("dtype") ? static_cast<ElementType>(op.integer("dtype")) : x.element;
  return op.result(op.generate(op.sizes(x), type, [&](OpBuilder &b, ValueRange) {
    Scalars s{b, op.loc, type}, index{b, op.loc, ElementType::Int64};
    Value on = index.compare(Compare::Equal, diagonalHere(s, 2), index.integer(k));
    return narrow(b, op.loc, type, s.select(on, s.constant(1), s.constant(0)));
  }));
}
} // namespace

void register_trilu(Registry &registry) {
  registry.onOp("Trilu", {14}, "input[_*,M,N] k[]|[1] upper=0|1", lowerTrilu);
  registry.onOp("EyeLike", {9, 22}, "input[M,N] 1<=dtype<=16 dtype!=8", eyeLike);
}

} // namespace sinter
