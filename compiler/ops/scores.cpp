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

FailureOr<Tensor> sinter::postTransformed(Op &op, Tensor scores, StringRef how) {
  if (how == "NONE" || how.empty())
    return scores;
  if (how == "LOGISTIC")
    return op.elementwise({scores}, scores.element, [](const Scalars &s, ValueRange v) { return sigmoid(s, v[0]); });
  if (how != "SOFTMAX" && how != "SOFTMAX_ZERO")
    return op.unsupported("post_transform '" + how + "'", "NONE, LOGISTIC, SOFTMAX and SOFTMAX_ZERO are supported");
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

FailureOr<Tensor> sinter::labelOfLargest(Op &op, Tensor scores, ArrayRef<int64_t> labels) {
  NamedAttribute attributes[] = {op.param("axis", int64_t(1)), op.param("keepdims", int64_t(0)),
                                 op.param("select_last_index", int64_t(0))};
  auto best = op.call("ArgMax", 13, {scores}, attributes);
  if (failed(best))
    return failure();
  Tensor place = best->front(), names = op.integers(labels);
  return op.generate(op.sizes(place), ElementType::Int64, [&](OpBuilder &nb, ValueRange at) -> Value {
    Value index = nb.create<tensor::ExtractOp>(op.loc, place.value, at[0]);
    Value inside =
        nb.create<CheckIndexOp>(op.loc, nb.getIndexType(), index, toValue(nb, op.loc, op.size(names, 0)), false);
    return nb.create<tensor::ExtractOp>(op.loc, names.value, inside);
  });
}
