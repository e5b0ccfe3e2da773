// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of reductions, of softmax and of norms: an adjoint of fewer dims spreads over the operand.
#include "gradient_rules.h"

using namespace mlir;

namespace sinter {
namespace {

/// The axes of a reduction: an operand, or the attribute of older versions; null: all.
Value reducedAxesOf(Adjoint &a) {
  if (auto axes = a.integers("axes"))
    return a.integers(*axes);
  return a.has(1) ? a.x(1) : Value();
}

/// What has y's shape, with the dims that have been reduced, so that it broadcasts against x. Without axes that is a
/// number, or by noop_with_empty_axes of x's shape already.
Value spreadOver(Adjoint &a, Value v) {
  Value axes = reducedAxesOf(a);
  return a.integer("keepdims", 1) || !axes ? v : a.op("Unsqueeze", {v, axes});
}

Value kept(Adjoint &a, StringRef reduction, Value v, ArrayRef<int64_t> axes) {
  NamedAttribute attributes[] = {a.attribute("keepdims", int64_t(1)), a.attribute("noop_with_empty_axes", int64_t(0))};
  return a.op(reduction, {v, a.integers(axes)}, attributes);
}

Value expanded(Adjoint &a, Value v) { return a.op("Expand", {v, a.shape(a.x())}); }

/// Elements of y to those of x. As doubles, since halves do not reach far.
Value shareOfEach(Adjoint &a) {
  auto count = [&](Value v) {
    return a.op("Cast", a.op("Size", {v}), {a.attribute("to", static_cast<int64_t>(ElementType::Double))});
  };
  return a.op("CastLike", {a.div(count(a.y()), count(a.x())), a.dy()});
}

void reduceSumRule(Adjoint &a) { a.give(0, expanded(a, spreadOver(a, a.dy()))); }
void reduceMeanRule(Adjoint &a) { a.give(0, expanded(a, spreadOver(a, a.mul(a.dy(), shareOfEach(a))))); }
void globalMeanRule(Adjoint &a) { a.give(0, expanded(a, a.mul(a.dy(), shareOfEach(a)))); }
void reduceL1Rule(Adjoint &a) { a.give(0, a.mul(spreadOver(a, a.dy()), a.op("Sign", {a.x()}))); }
void reduceL2Rule(Adjoint &a) { a.give(0, a.mul(a.x(), spreadOver(a, a.div(a.dy(), a.y())))); }
void reduceSumSquareRule(Adjoint &a) { a.give(0, a.mul(a.add(a.x(), a.x()), spreadOver(a, a.dy()))); }
void reduceLogSumRule(Adjoint &a) { a.give(0, expanded(a, spreadOver(a, a.div(a.dy(), a.op("Exp", {a.y()}))))); }

void reduceLogSumExpRule(Adjoint &a) {
  Value part = a.op("Exp", {a.sub(a.x(), spreadOver(a, a.y()))});
  a.give(0, a.mul(spreadOver(a, a.dy()), part));
}

/// ReduceMax, ReduceMin: elements that are equal to the result share its adjoint.
void reducedExtremeRule(Adjoint &a) {
  Value zero = a.number(0, a.x()), unit = a.number(1, a.x()), axes = reducedAxesOf(a);
  Value hits = a.where(a.op("Equal", {a.x(), spreadOver(a, a.y())}), unit, zero);
  SmallVector<Value> operands{hits};
  if (axes)
    operands.push_back(axes);
  NamedAttribute attributes[] = {a.attribute("keepdims", int64_t(1)),
                                 a.attribute("noop_with_empty_axes", a.integer("noop_with_empty_axes", 0))};
  Value count = a.op("ReduceSum", operands, attributes);
  a.give(0, a.mul(hits, a.div(spreadOver(a, a.dy()), count)));
}

void softmaxRule(Adjoint &a) {
  Value sum = kept(a, "ReduceSum", a.mul(a.dy(), a.y()), a.integer("axis", -1));
  a.give(0, a.mul(a.y(), a.sub(a.dy(), sum)));
}

void logSoftmaxRule(Adjoint &a) {
  Value sum = kept(a, "ReduceSum", a.dy(), a.integer("axis", -1));
  a.give(0, a.sub(a.dy(), a.mul(a.op("Exp", {a.y()}), sum)));
}

void cumSumRule(Adjoint &a) {
  NamedAttribute attributes[] = {a.attribute("exclusive", a.integer("exclusive", 0)),
                                 a.attribute("reverse", int64_t(!a.integer("reverse", 0)))};
  a.give(0, a.op("CumSum", {a.dy(), a.x(1)}, attributes));
}

/// LayerNormalization and RMSNormalization: y = n * scale + b, n = d / r, where d is x less its mean (of the first) and
/// r the root of d's mean square and epsilon.
void normRule(Adjoint &a) {
  int64_t axis = a.integer("axis", -1), end = 0;
  if (axis >= 0) {
    auto type = dyn_cast<RankedTensorType>(a.x().getType());
    if (!type)
      return a.unsupported("only with an axis counted from the end, where the rank is not stated");
    end = type.getRank();
  }
  auto axes = llvm::to_vector(llvm::seq(axis, end));
  auto mean = [&](Value v) { return kept(a, "ReduceMean", v, axes); };
  bool isCentered = a.node.getOpType() == "LayerNormalization";
  Value d = isCentered ? a.sub(a.x(), mean(a.x())) : a.x();
  Value r = a.op("Sqrt", {a.add(mean(a.square(d)), a.number(a.real("epsilon", 1e-5), a.x()))});
  Value n = a.div(d, r), dn = a.mul(a.dy(), a.x(1));
  Value dx = a.sub(dn, a.mul(n, mean(a.mul(dn, n))));
  if (isCentered)
    dx = a.sub(dx, mean(dn));
  if (a.wants(0))
    a.giveSummed(0, a.div(dx, r));
  if (a.wants(1))
    a.giveSummed(1, a.mul(a.dy(), n));
  if (a.wants(2))
    a.giveSummed(2, a.dy());
}

/// With the moments of training, which are operands.
void batchNormalizationRule(Adjoint &a) {
  if (a.integer("training_mode", 0))
    return a.unsupported("only without training_mode");
  if (a.wants(3) || a.wants(4))
    return a.unsupported("only by X, scale and B");
  auto channels = [&](Value v) { // [N, C, the rest]
    return a.op("Reshape", {v, a.integers({0, 0, -1})}, {a.attribute("allowzero", int64_t(0))});
  };
  auto column = [&](Value v) { return a.op("Unsqueeze", {v, a.integers(int64_t(1))}); };
  auto summed = [&](Value v) {
    NamedAttribute attributes[] = {a.attribute("keepdims", int64_t(0)),
                                   a.attribute("noop_with_empty_axes", int64_t(0))};
    return a.op("ReduceSum", {v, a.integers(ArrayRef<int64_t>{0, 2})}, attributes);
  };
  Value r = a.op("Sqrt", {a.add(a.x(4), a.number(a.real("epsilon", 1e-5), a.x(4)))}), dy = channels(a.dy());
  if (a.wants(0))
    a.give(0, a.reshapedLike(a.mul(dy, column(a.op("CastLike", {a.div(a.x(1), r), dy}))), a.x()));
  if (a.wants(1))
    a.give(1, a.div(summed(a.mul(dy, a.sub(channels(a.x()), column(a.x(3))))), r));
  if (a.wants(2))
    a.give(2, summed(dy));
}

constexpr GradientRule reductionTable[] = {
    {"BatchNormalization", 9, batchNormalizationRule},
    {"CumSum", 11, cumSumRule},
    {"GlobalAveragePool", 1, globalMeanRule},
    {"LayerNormalization", 17, normRule},
    {"LogSoftmax", 13, logSoftmaxRule},
    {"RMSNormalization", 23, normRule},
    {"ReduceL1", 1, reduceL1Rule},
    {"ReduceL2", 1, reduceL2Rule},
    {"ReduceLogSum", 1, reduceLogSumRule},
    {"ReduceLogSumExp", 1, reduceLogSumExpRule},
    {"ReduceMax", 1, reducedExtremeRule},
    {"ReduceMean", 1, reduceMeanRule},
    {"ReduceMin", 1, reducedExtremeRule},
    {"ReduceSum", 1, reduceSumRule},
    {"ReduceSumSquare", 1, reduceSumSquareRule},
    {"Softmax", 13, softmaxRule},
};
} // namespace

ArrayRef<GradientRule> reductionRules() { return reductionTable; }

} // namespace sinter
