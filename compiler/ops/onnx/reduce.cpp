// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ReduceSum, -Prod, -Max, -Min, -Mean, -L1, -L2, -SumSquare, -LogSum: an accumulator, and what is done to it at the
// end. Half types accumulate in float; integers whose result is a mean, root or logarithm in a wider type.
// Sums and means of quantized tensors are ones of integers. ReduceLogSumExp: reduce_log_sum_exp.cpp.
#include "ops/math.h"
#include "ops/quantization.h"
#include "ops/reduction_axes.h"

using namespace mlir;

namespace sinter {

namespace {
struct ReductionKind {
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
Value addedTo(const Scalars &s, Value acc, Value x) { return s.add(acc, x); }
Value multiply(const Scalars &s, Value acc, Value x) { return s.mul(acc, x); }
Value greater(const Scalars &s, Value acc, Value x) { return s.max(acc, x); }
Value lesser(const Scalars &s, Value acc, Value x) { return s.min(acc, x); }
Value magnitude(const Scalars &s, Value x) { return s.abs(x); }
Value square(const Scalars &s, Value x) { return s.mul(x, x); }
Value mean(const Scalars &s, Value acc, Size count) { return s.div(acc, reducedCount(s, count)); }
Value root(const Scalars &s, Value acc, Size) { return sqrt(s, acc); }
Value logarithm(const Scalars &s, Value acc, Size) { return log(s, acc); }

constexpr ReductionKind sum{zero, addedTo}, prod{one, multiply}, max{lowest, greater}, min{highest, lesser};
constexpr ReductionKind l1{zero, addedTo, magnitude}, sumSquare{zero, addedTo, square};
constexpr ReductionKind average{zero, addedTo, nullptr, mean, true}, l2{zero, addedTo, square, root, true, true},
    logSum{zero, addedTo, nullptr, logarithm, true, true};

ElementType reductionAccumulatorOf(const ReductionKind &kind, ElementType type) {
  if (isNarrowFloat(type))
    return ElementType::Float;
  if (type == ElementType::Bool) // in the lanes of bytes
    return ElementType::UInt8;
  if (isFloat(type) || !kind.wide)
    return type;
  return kind.real ? ElementType::Double : isUnsignedInteger(type) ? ElementType::UInt64 : ElementType::Int64;
}

/// Sums and means of dequantized integers: exact sums of these in int32, and one rescaling. Nothing where the sums
/// could overflow, or have no one scale.
std::optional<Tensor> sumOfIntegers(Op &op, const ReductionAxes &axes, bool isMean) {
  const Dequantized *q = op.dequantized(0);
  std::optional<int64_t> count = q ? constantOf(axes.count(op, op.input(0))) : std::nullopt;
  if (!count || *count < 1 || q->axis || axes.empty() || bitWidth(q->x.element) > 16 ||
      *count >= int64_t(1) << (30 - bitWidth(q->x.element)))
    return std::nullopt;
  // In the result's shape, so that a quantization finds the rescaling beside it.
  Tensor sums = axes.result(op, axes.fold(op, q->x, ElementType::Int32, zero, addedTo));
  Tensor scale = op.reshape(q->scale, {});
  Tensor zeros = q->zero ? op.reshape(q->zero, {}) : op.scalar(q->x.element, 0);
  ElementType to = op.input(0).element;
  return op.elementwise({sums, zeros, scale}, to, [&](const Scalars &s, ValueRange v) {
    Scalars f{s.b, s.loc, ElementType::Float}, z{s.b, s.loc, zeros.element}, r{s.b, s.loc, scale.element};
    Value sum = s.sub(v[0], s.mul(z.castTo(ElementType::Int32, v[1]), s.integer(*count)));
    Value real = f.mul(s.castTo(ElementType::Float, sum), r.castTo(ElementType::Float, v[2]));
    return f.castTo(to, isMean ? f.div(real, f.constant(static_cast<double>(*count))) : real);
  });
}

template <const ReductionKind &kind, int64_t operandSince = 18>
LogicalResult lowerReduce(Op &op) {
  FailureOr<ReductionAxes> axes = ReductionAxes::of(op, operandSince);
  if (failed(axes))
    return failure();
  Tensor given = op.input(0), x = given;
  if (axes->empty() && !kind.before && !kind.after)
    return op.result(given);
  if (bool isMean = &kind == &average; isMean || &kind == &sum)
    if (std::optional<Tensor> y = sumOfIntegers(op, *axes, isMean))
      return op.result(*y);
  ElementType type = reductionAccumulatorOf(kind, given.element);
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
  constexpr StringLiteral overAxes =
      "data[_*] axes[_] -rank(data)<=value(axes)<rank(data) keepdims=0|1 noop_with_empty_axes=0|1";
  registry.onOp("ReduceSum", {1, 11, 13}, overAxes, lowerReduce<sum, 13>);
  registry.onOp("ReduceProd", {1, 11, 13, 18}, overAxes, lowerReduce<prod>);
  registry.onOp("ReduceMax", {1, 11, 12, 13, 18, 20}, overAxes, lowerReduce<max>);
  registry.onOp("ReduceMin", {1, 11, 12, 13, 18, 20}, overAxes, lowerReduce<min>);
  registry.onOp("ReduceMean", {1, 11, 13, 18}, overAxes, lowerReduce<average>);
  registry.onOp("ReduceL1", {1, 11, 13, 18}, overAxes, lowerReduce<l1>);
  registry.onOp("ReduceL2", {1, 11, 13, 18}, overAxes, lowerReduce<l2>);
  registry.onOp("ReduceSumSquare", {1, 11, 13, 18}, overAxes, lowerReduce<sumSquare>);
  registry.onOp("ReduceLogSum", {1, 11, 13, 18, 28}, overAxes, lowerReduce<logSum>);
}

} // namespace sinter
