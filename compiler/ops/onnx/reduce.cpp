// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ReduceSum, -Prod, -Max, -Min, -Mean, -L1, -L2, -SumSquare, -LogSum: an accumulator, and what is done to it at the
// end. Half types accumulate in float; integers whose result is a mean, root or logarithm in a wider type.
// ReduceLogSumExp: reduce_log_sum_exp.cpp.
#include "ops/math.h"
#include "ops/reduction_axes.h"

using namespace mlir;

namespace sinter {

namespace {
struct Kind {
  Value (*initial)(const Scalars &);
  Value (*combine)(const Scalars &, Value acc, Value x);
  Value (*before)(const Scalars &, Value x) = nullptr; ///< done to each element first
  Value (*after)(const Scalars &, Value acc, Size count) = nullptr;
  bool wide = false; ///< integers accumulate in a wider type
  bool real = false; ///< namely in double
};

Value zero(const Scalars &s) { return s.constant(0); }
Value one(const Scalars &s) { return s.constant(1); }
Value lowest(const Scalars &s) { return s.lowest(); }
Value highest(const Scalars &s) { return s.highest(); }
Value add(const Scalars &s, Value acc, Value x) { return s.add(acc, x); }
Value multiply(const Scalars &s, Value acc, Value x) { return s.mul(acc, x); }
Value greater(const Scalars &s, Value acc, Value x) { return s.max(acc, x); }
Value lesser(const Scalars &s, Value acc, Value x) { return s.min(acc, x); }
Value magnitude(const Scalars &s, Value x) { return s.abs(x); }
Value square(const Scalars &s, Value x) { return s.mul(x, x); }
Value mean(const Scalars &s, Value acc, Size count) { return s.div(acc, reducedCount(s, count)); }
Value root(const Scalars &s, Value acc, Size) { return sqrt(s, acc); }
Value logarithm(const Scalars &s, Value acc, Size) { return log(s, acc); }

constexpr Kind sum{zero, add}, prod{one, multiply}, max{lowest, greater}, min{highest, lesser};
constexpr Kind l1{zero, add, magnitude}, sumSquare{zero, add, square};
constexpr Kind average{zero, add, nullptr, mean, true}, l2{zero, add, square, root, true, true},
    logSum{zero, add, nullptr, logarithm, true, true};

ElementType accumulatorOf(const Kind &kind, ElementType type) {
  if (isNarrowFloat(type))
    return ElementType::Float;
  if (isFloat(type) || !kind.wide)
    return type;
  return kind.real ? ElementType::Double : isUnsignedInteger(type) ? ElementType::UInt64 : ElementType::Int64;
}

template <const Kind &kind, int64_t operandSince = 18>
LogicalResult lower(Op &op) {
  FailureOr<ReductionAxes> axes = ReductionAxes::of(op, operandSince);
  if (failed(axes))
    return failure();
  Tensor given = op.input(0), x = given;
  if (axes->empty() && !kind.before && !kind.after)
    return op.result(given);
  ElementType type = accumulatorOf(kind, given.element);
  if (kind.before)
    x = op.elementwise({given}, type, [&](const Scalars &s, ValueRange v) {
      return kind.before(Scalars{s.b, s.loc, type}, s.castTo(type, v[0]));
    });
  Tensor folded = axes->fold(op, x, type, kind.initial, kind.combine);
  if (kind.after) {
    Size count = axes->count(op, given);
    folded = op.elementwise({folded}, given.element, [&](const Scalars &s, ValueRange v) {
      return s.castTo(given.element, kind.after(s, v[0], count));
    });
  }
  return op.result(axes->result(op, op.cast(folded, given.element)));
}
} // namespace

void register_reduce(Registry &registry) {
  registry.onOp("ReduceSum", {1, 11, 13}, lower<sum, 13>);
  registry.onOp("ReduceProd", {1, 11, 13, 18}, lower<prod>);
  registry.onOp("ReduceMax", {1, 11, 12, 13, 18, 20}, lower<max>);
  registry.onOp("ReduceMin", {1, 11, 12, 13, 18, 20}, lower<min>);
  registry.onOp("ReduceMean", {1, 11, 13, 18}, lower<average>);
  registry.onOp("ReduceL1", {1, 11, 13, 18}, lower<l1>);
  registry.onOp("ReduceL2", {1, 11, 13, 18}, lower<l2>);
  registry.onOp("ReduceSumSquare", {1, 11, 13, 18}, lower<sumSquare>);
  registry.onOp("ReduceLogSum", {1, 11, 13, 18, 28}, lower<logSum>);
}

} // namespace sinter
