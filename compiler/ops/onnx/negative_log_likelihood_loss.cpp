// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss (the same after LogSoftmax): the weighted probability of each
// sample's class, then its sum or weighted mean. Samples of class ignore_index do not count.
#include "ops/moments.h"

using namespace mlir;

namespace sinter {

namespace {
/// y over the samples: body(class index, counts) of each; the class of one that does not count reads as 0.
Tensor overSamples(Op &op, Tensor target, Size classes, ElementType type,
                   llvm::function_ref<Value(const Scalars &, ValueRange at, Value index, Value counts)> body) {
  return op.generate(op.sizes(target), type, [&](OpBuilder &b, ValueRange at) {
    Scalars t{b, op.loc, target.element}, s{b, op.loc, type};
    Value given = b.create<tensor::ExtractOp>(op.loc, target.value, at),
          counts = b.create<arith::ConstantIntOp>(op.loc, 1, 1);
    if (op.hasAttribute("ignore_index")) {
      counts = t.compare(Compare::NotEqual, given, t.integer(op.integer("ignore_index")));
      given = t.select(counts, given, t.integer(0));
    }
    Value index =
        b.create<CheckIndexOp>(op.loc, b.getIndexType(), given, toValue(b, op.loc, classes), b.getBoolAttr(false));
    return body(s, at, index, counts);
  });
}

Tensor sumOfElements(Op &op, Tensor x) {
  return op.reduce(
      x, llvm::to_vector(llvm::seq<int64_t>(0, x.rank())), false, x.element,
      [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); });
}

FailureOr<Tensor> loss(Op &op, Tensor logProbabilities) {
  Tensor target = op.input(1), weight = op.inputOrNone(2);
  StringRef reduction = op.string("reduction", "mean");
  if (logProbabilities.rank() != target.rank() + 1)
    return op.fail(Code::ShapeMismatch, "the target has one dim less than the input");
  if (reduction != "none" && reduction != "sum" && reduction != "mean")
    return op.unsupported("reduction = '" + reduction + "'", "the standard has none, sum and mean");
  ElementType type = statisticsType(logProbabilities.element);
  Size classes = op.size(logProbabilities, 1);
  auto read = [&](const Scalars &s, Tensor x, ValueRange at) {
    Value stored = s.b.create<tensor::ExtractOp>(op.loc, x.value, at);
    return Scalars{s.b, s.loc, x.element}.castTo(type, widen(s.b, s.loc, x.element, stored));
  };
  auto weightOf = [&](const Scalars &s, Value index, Value counts) {
    return s.select(counts, weight ? read(s, weight, index) : s.constant(1), s.constant(0));
  };
  Tensor each = overSamples(op, target, classes, type, [&](const Scalars &s, ValueRange at, Value index, Value counts) {
    SmallVector<Value> where(at);
    where.insert(where.begin() + 1, index);
    return s.select(counts, s.neg(s.mul(read(s, logProbabilities, where), weightOf(s, index, counts))), s.constant(0));
  });
  if (reduction == "none")
    return op.cast(each, logProbabilities.element);
  Tensor total = sumOfElements(op, each);
  if (reduction == "mean") {
    Tensor weights =
        overSamples(op, target, classes, type, [&](const Scalars &s, ValueRange, Value index, Value counts) {
          return weightOf(s, index, counts);
        });
    total = op.elementwise({total, sumOfElements(op, weights)}, type,
                           [](const Scalars &s, ValueRange v) { return s.div(v[0], v[1]); });
  }
  return op.cast(total, logProbabilities.element);
}
} // namespace

void register_negative_log_likelihood_loss(Registry &registry) {
  registry.onOp("NegativeLogLikelihoodLoss", {12, 13, 22},
                "input[N,C,D*] target[N,D*] weight[C] reduction=none|sum|mean",
                [](Op &op) { return op.result(loss(op, op.input(0))); });
  registry.onOp("SoftmaxCrossEntropyLoss", {12, 13}, "scores[N,C,D*] labels[N,D*] weights[C] reduction=none|sum|mean",
                [](Op &op) {
                  FailureOr<SmallVector<Tensor>> logs =
                      op.call("LogSoftmax", 13, op.input(0), op.param("axis", int64_t(1)));
                  if (failed(logs))
                    return failure();
                  FailureOr<Tensor> y = loss(op, (*logs)[0]);
                  return failed(y) ? failure() : op.results({*y, (*logs)[0]});
                });
}

} // namespace sinter
