// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scores.h"

#include "math.h"

using namespace mlir;
using namespace sinter;

Tensor sinter::floatConstant(const Op &op, ArrayRef<double> values, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, op.b.getF32Type());
  return {
      op.b.create<arith::ConstantOp>(op.loc, DenseElementsAttr::get(type, ArrayRef(llvm::to_vector_of<float>(values)))),
      ElementType::Float};
}

Tensor sinter::perFeature(const Op &op, ArrayRef<double> values) {
  return floatConstant(op, values, {static_cast<int64_t>(values.size())});
}

/// The quantile of the normal distribution, by onnxruntime's approximation of the inverse of erf.
static Value probit(const Scalars &s, Value p) {
  Value x = s.sub(s.mul(s.constant(2), p), s.constant(1)), one = s.constant(1);
  Value logarithm = log(s, s.mul(s.sub(one, x), s.add(one, x)));
  constexpr double a = 0.147f;
  Value half = s.add(s.constant(2 / (3.14159f * a)), s.mul(s.constant(0.5), logarithm));
  Value root = sqrt(s, s.sub(sqrt(s, s.sub(s.mul(half, half), s.mul(s.constant(1 / a), logarithm))), half));
  Value size = s.mul(s.constant(1.41421356), root);
  return s.select(s.compare(Compare::Less, x, s.constant(0)), s.neg(size), size);
}

FailureOr<Tensor> sinter::postTransformed(Op &op, Tensor scores, StringRef how) {
  if (how == "NONE" || how.empty())
    return scores;
  if (how == "LOGISTIC")
    return op.elementwise({scores}, scores.element, [](const Scalars &s, ValueRange v) { return sigmoid(s, v[0]); });
  if (how == "PROBIT")
    return op.elementwise({scores}, scores.element, [](const Scalars &s, ValueRange v) { return probit(s, v[0]); });
  if (how != "SOFTMAX" && how != "SOFTMAX_ZERO")
    return op.unsupported("post_transform '" + how + "'",
                          "NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO and PROBIT are supported");
  bool keepsZero = how == "SOFTMAX_ZERO"; // a score of 0 stays 0 and takes no part
  Tensor greatest = op.reduce(
      scores, {1}, true, scores.element, [](const Scalars &s) { return s.lowest(); },
      [](const Scalars &s, Value acc, Value v) { return s.max(acc, v); });
  Tensor powers = op.elementwise({scores, greatest}, scores.element, [&](const Scalars &s, ValueRange v) {
    Value power = exp(s, s.sub(v[0], v[1]));
    return keepsZero ? s.select(s.compare(Compare::Equal, v[0], s.constant(0)), s.constant(0), power) : power;
  });
  Tensor sum = op.reduce(
      powers, {1}, true, scores.element, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); });
  return op.elementwise({powers, sum}, scores.element, [&](const Scalars &s, ValueRange v) {
    Value quotient = s.div(v[0], v[1]);
    return keepsZero ? s.select(s.compare(Compare::Equal, v[1], s.constant(0)), s.constant(0), quotient) : quotient;
  });
}

FailureOr<Tensor> sinter::labelOfLargest(Op &op, Tensor scores, const List &labels) {
  NamedAttribute attributes[] = {op.param("axis", int64_t(1)), op.param("keepdims", int64_t(0)),
                                 op.param("select_last_index", int64_t(0))};
  auto best = op.call("ArgMax", 13, {scores}, attributes);
  if (failed(best))
    return failure();
  return entriesAt(op, labels, best->front());
}

Tensor sinter::labelOfTwo(const Op &op, Tensor second, double threshold, const List &labels) {
  Tensor place = op.elementwise({op.squeeze(second, {1})}, ElementType::Int64, [&](const Scalars &s, ValueRange v) {
    Scalars number{s.b, s.loc, ElementType::Int64};
    return s.select(s.compare(Compare::Greater, v[0], s.constant(threshold)), number.integer(1), number.integer(0));
  });
  return entriesAt(op, labels, place);
}

Tensor sinter::scoresOfTwo(const Op &op, Tensor second, TwoScores how) {
  Tensor first = op.elementwise({second}, second.element, [&](const Scalars &s, ValueRange v) {
    return how == TwoScores::Complement ? s.sub(s.constant(1), v[0])
           : how == TwoScores::Opposite ? s.neg(v[0])
                                        : sigmoid(s, s.neg(v[0]));
  });
  if (how == TwoScores::Logistic)
    second = op.elementwise({second}, second.element, [](const Scalars &s, ValueRange v) { return sigmoid(s, v[0]); });
  return op.concat({first, second}, 1);
}
