// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of scalar functions, of sums and products of what broadcasts, and what takes part in no derivative: steps,
// integers of floats, comparisons, sizes. At a kink the derivative is that of one side, or what lies between, as torch
// has it.
#include "gradient_rules.h"

#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

/// dx = dy * derivative(a).
template <Value (*derivative)(Adjoint &)>
void scalarRule(Adjoint &a) {
  a.give(0, a.mul(a.dy(), derivative(a)));
}

/// dx = dy / inverse(a), where that reads better.
template <Value (*inverse)(Adjoint &)>
void quotientRule(Adjoint &a) {
  a.give(0, a.div(a.dy(), inverse(a)));
}

Value onesLike(Adjoint &a) { return a.number(1, a.x()); }
Value onePlusSquare(Adjoint &a, Value v) { return a.add(onesLike(a), a.square(v)); }
Value oneMinusSquare(Adjoint &a, Value v) { return a.sub(onesLike(a), a.square(v)); }
Value squareRoot(Adjoint &a, Value v) { return a.op("Sqrt", {v}); }
Value isAbove(Adjoint &a, double limit) { return a.op("Greater", {a.x(), a.number(limit, a.x())}); }

Value ofSin(Adjoint &a) { return a.op("Cos", {a.x()}); }
Value ofCos(Adjoint &a) { return a.neg(a.op("Sin", {a.x()})); }
Value ofTan(Adjoint &a) { return onePlusSquare(a, a.y()); }
Value ofSinh(Adjoint &a) { return a.op("Cosh", {a.x()}); }
Value ofCosh(Adjoint &a) { return a.op("Sinh", {a.x()}); }
Value ofTanh(Adjoint &a) { return oneMinusSquare(a, a.y()); }
Value underAsin(Adjoint &a) { return squareRoot(a, oneMinusSquare(a, a.x())); }
Value underAcos(Adjoint &a) { return a.neg(underAsin(a)); }
Value underAtan(Adjoint &a) { return onePlusSquare(a, a.x()); }
Value underAsinh(Adjoint &a) { return squareRoot(a, onePlusSquare(a, a.x())); }
Value underAcosh(Adjoint &a) { return squareRoot(a, a.sub(a.square(a.x()), onesLike(a))); }
Value underAtanh(Adjoint &a) { return oneMinusSquare(a, a.x()); }
Value ofExp(Adjoint &a) { return a.y(); }
Value underLog(Adjoint &a) { return a.x(); }
Value underSqrt(Adjoint &a) { return a.add(a.y(), a.y()); }
Value ofReciprocal(Adjoint &a) { return a.neg(a.square(a.y())); }
Value ofSigmoid(Adjoint &a) { return a.mul(a.y(), a.sub(onesLike(a), a.y())); }
Value ofSoftplus(Adjoint &a) { return a.op("Sigmoid", {a.x()}); }
Value ofAbs(Adjoint &a) { return a.op("Sign", {a.x()}); }
Value underSoftsign(Adjoint &a) { return a.square(a.add(onesLike(a), a.op("Abs", {a.x()}))); }

Value bell(Adjoint &a, double factor, double rate) {
  return a.mul(a.number(factor, a.x()), a.op("Exp", {a.mul(a.number(-rate, a.x()), a.square(a.x()))}));
}
Value ofErf(Adjoint &a) { return bell(a, M_2_SQRTPI, 1); }

/// x times a distribution function, whose approximation by tanh is differentiated as it stands.
Value ofGelu(Adjoint &a) {
  Value x = a.x(), half = a.number(0.5, x);
  if (a.string("approximate") != "tanh") {
    Value below = a.mul(half, a.add(onesLike(a), a.op("Erf", {a.mul(x, a.number(M_SQRT1_2, x))})));
    return a.add(below, a.mul(x, bell(a, M_2_SQRTPI * M_SQRT1_2 / 2, 0.5)));
  }
  constexpr double scale = M_2_SQRTPI * M_SQRT1_2, cubic = 0.044715;
  Value squared = a.square(x);
  Value inner = a.mul(a.mul(a.number(scale, x), x), a.add(onesLike(a), a.mul(a.number(cubic, x), squared)));
  Value slope = a.mul(a.number(scale, x), a.add(onesLike(a), a.mul(a.number(3 * cubic, x), squared)));
  Value t = a.op("Tanh", {inner});
  return a.mul(half, a.add(a.add(onesLike(a), t), a.mul(a.mul(x, oneMinusSquare(a, t)), slope)));
}

void reluRule(Adjoint &a) { a.give(0, a.where(isAbove(a, 0), a.dy(), a.number(0, a.x()))); }

void thresholdedReluRule(Adjoint &a) { a.give(0, a.where(isAbove(a, a.real("alpha", 1)), a.dy(), a.number(0, a.x()))); }

/// Above 0 `factor` x, below that alpha x.
void leakyReluRule(Adjoint &a) {
  a.give(0, a.where(isAbove(a, 0), a.dy(), a.mul(a.dy(), a.number(a.real("alpha", 0.01), a.x()))));
}

/// Above 0 gamma x, below `weight` (exp(x / width) - 1): where x is not below 0, no power of it is taken.
Value exponential(Adjoint &a, double gamma, double weight, double width) {
  Value x = a.x(), zero = a.number(0, x);
  Value power = a.op("Exp", {a.div(a.op("Min", {x, zero}), a.number(width, x))});
  return a.where(isAbove(a, 0), a.number(gamma, x), a.mul(a.number(weight / width, x), power));
}
Value ofElu(Adjoint &a) { return exponential(a, 1, a.real("alpha", 1), 1); }
Value ofSelu(Adjoint &a) { return exponential(a, a.real("gamma", 1), a.real("alpha", 1) * a.real("gamma", 1), 1); }
Value ofCelu(Adjoint &a) { return exponential(a, 1, a.real("alpha", 1), a.real("alpha", 1)); }

void pReluRule(Adjoint &a) {
  Value above = isAbove(a, 0), zero = a.number(0, a.x());
  if (a.wants(0))
    a.giveSummed(0, a.mul(a.dy(), a.where(above, onesLike(a), a.x(1))));
  if (a.wants(1))
    a.giveSummed(1, a.mul(a.dy(), a.where(above, zero, a.x())));
}

/// Limits are operands since version 11, attributes before.
void clipRule(Adjoint &a) {
  Value x = a.x(), dx = a.dy(), zero = a.number(0, x);
  auto limit = [&](size_t i, StringRef name) {
    return a.has(i) ? a.x(i) : a.attributeOf(name) ? a.number(a.real(name, 0), x) : Value();
  };
  Value low = limit(1, "min"), high = limit(2, "max");
  if (low)
    dx = a.where(a.op("Less", {x, low}), zero, dx);
  if (high)
    dx = a.where(a.op("Greater", {x, high}), zero, dx);
  a.give(0, dx);
  if (a.wants(1))
    a.giveSummed(1, a.where(a.op("Less", {x, low}), a.dy(), zero));
  if (a.wants(2))
    a.giveSummed(2, a.where(a.op("Greater", {x, high}), a.dy(), zero));
}

// Of several operands, which broadcast.

void sumRule(Adjoint &a) {
  for (size_t i = 0; i < a.inputCount(); ++i)
    if (a.wants(i))
      a.giveSummed(i, a.dy());
}

void meanRule(Adjoint &a) {
  Value share = a.div(a.dy(), a.number(static_cast<double>(a.inputCount()), a.dy()));
  for (size_t i = 0; i < a.inputCount(); ++i)
    if (a.wants(i))
      a.giveSummed(i, share);
}

void subRule(Adjoint &a) {
  if (a.wants(0))
    a.giveSummed(0, a.dy());
  if (a.wants(1))
    a.giveSummed(1, a.neg(a.dy()));
}

void mulRule(Adjoint &a) {
  for (size_t i : {0, 1})
    if (a.wants(i))
      a.giveSummed(i, a.mul(a.dy(), a.x(1 - i)));
}

void divRule(Adjoint &a) {
  Value share = a.div(a.dy(), a.x(1));
  if (a.wants(0))
    a.giveSummed(0, share);
  if (a.wants(1))
    a.giveSummed(1, a.neg(a.mul(share, a.y())));
}

/// By the exponent where the base is 0: 0, if the exponent is not below 0 either.
void powRule(Adjoint &a) {
  Value x = a.x(), exponent = a.op("CastLike", {a.x(1), x}), zero = a.number(0, x);
  if (a.wants(0)) {
    Value slope = a.mul(exponent, a.op("Pow", {x, a.sub(exponent, onesLike(a))}));
    a.giveSummed(0, a.mul(a.dy(), a.where(a.op("Equal", {exponent, zero}), zero, slope)));
  }
  if (a.wants(1)) {
    Value none = a.op("And", {a.op("Equal", {x, zero}), a.op("GreaterOrEqual", {exponent, zero})});
    Value slope = a.where(none, zero, a.mul(a.y(), a.op("Log", {x})));
    a.giveSummed(1, a.op("CastLike", {a.mul(a.dy(), slope), a.x(1)}));
  }
}

/// Min and Max: those that are equal to the result share its adjoint.
void extremeRule(Adjoint &a) {
  Value zero = a.number(0, a.dy()), unit = a.number(1, a.dy()), count;
  SmallVector<Value> hits;
  for (Value x : a.node.getInputs()) {
    hits.push_back(a.where(a.op("Equal", {x, a.y()}), unit, zero));
    count = count ? a.add(count, hits.back()) : hits.back();
  }
  Value share = a.div(a.dy(), count);
  for (auto [i, hit] : llvm::enumerate(hits))
    if (a.wants(i))
      a.giveSummed(i, a.mul(share, hit));
}

void whereRule(Adjoint &a) {
  Value zero = a.number(0, a.dy());
  if (a.wants(1))
    a.giveSummed(1, a.where(a.x(0), a.dy(), zero));
  if (a.wants(2))
    a.giveSummed(2, a.where(a.x(0), zero, a.dy()));
}

void negRule(Adjoint &a) { a.give(0, a.neg(a.dy())); }
void identityRule(Adjoint &a) { a.give(0, a.dy()); }

/// What is dropped in training is drawn anew in each call.
void dropoutRule(Adjoint &a) {
  auto weight = a.has(2) ? a.x(2).getDefiningOp<WeightOp>() : WeightOp();
  auto training = weight ? dyn_cast<DenseIntElementsAttr>(weight.getValue()) : nullptr;
  if (a.has(2) && !(training && training.isSplat() && training.getSplatValue<APInt>().isZero()))
    a.unsupported("only without training_mode");
  else
    a.give(0, a.dy());
}

void castRule(Adjoint &a) { a.give(0, a.op("CastLike", {a.dy(), a.x()})); }

constexpr GradientRule elementwiseTable[] = {
    {"Abs", 6, scalarRule<ofAbs>},
    {"Acos", 7, quotientRule<underAcos>},
    {"Acosh", 9, quotientRule<underAcosh>},
    {"Add", 7, sumRule},
    {"Asin", 7, quotientRule<underAsin>},
    {"Asinh", 9, quotientRule<underAsinh>},
    {"Atan", 7, quotientRule<underAtan>},
    {"Atanh", 9, quotientRule<underAtanh>},
    {"Cast", 6, castRule},
    {"CastLike", 15, castRule},
    {"Celu", 12, scalarRule<ofCelu>},
    {"Clip", 6, clipRule},
    {"Cos", 7, scalarRule<ofCos>},
    {"Cosh", 9, scalarRule<ofCosh>},
    {"Div", 7, divRule},
    {"Dropout", 7, dropoutRule},
    {"Elu", 6, scalarRule<ofElu>},
    {"Erf", 9, scalarRule<ofErf>},
    {"Exp", 6, scalarRule<ofExp>},
    {"Gelu", 20, scalarRule<ofGelu>},
    {"Identity", 1, identityRule},
    {"LeakyRelu", 6, leakyReluRule},
    {"Log", 6, quotientRule<underLog>},
    {"Max", 8, extremeRule},
    {"Mean", 8, meanRule},
    {"Min", 8, extremeRule},
    {"Mul", 7, mulRule},
    {"Neg", 6, negRule},
    {"PRelu", 7, pReluRule},
    {"Pow", 7, powRule},
    {"Reciprocal", 6, scalarRule<ofReciprocal>},
    {"Relu", 6, reluRule},
    {"Selu", 6, scalarRule<ofSelu>},
    {"Sigmoid", 6, scalarRule<ofSigmoid>},
    {"Sin", 7, scalarRule<ofSin>},
    {"Sinh", 9, scalarRule<ofSinh>},
    {"Softplus", 1, scalarRule<ofSoftplus>},
    {"Softsign", 1, quotientRule<underSoftsign>},
    {"Sqrt", 6, quotientRule<underSqrt>},
    {"Sub", 7, subRule},
    {"Sum", 8, sumRule},
    {"Tan", 7, scalarRule<ofTan>},
    {"Tanh", 6, scalarRule<ofTanh>},
    {"ThresholdedRelu", 10, thresholdedReluRule},
    {"Where", 9, whereRule},
};

constexpr StringLiteral flat[] = {
    "And",   "ArgMax", "ArgMin", "Ceil",        "ConstantOfShape", "Equal", "Floor", "Greater", "GreaterOrEqual",
    "IsInf", "IsNaN",  "Less",   "LessOrEqual", "NonZero",         "Not",   "Or",    "Round",   "Shape",
    "Sign",  "Size",   "Xor",
};
} // namespace

ArrayRef<GradientRule> elementwiseRules() { return elementwiseTable; }

bool isFlat(NodeOp node) {
  if (!node.getDomain().empty())
    return false;
  if (node.getOpType() == "Cast") {
    auto to = node.getAttrs().getAs<IntegerAttr>("to");
    return to && !isFloat(static_cast<ElementType>(to.getInt()));
  }
  return llvm::is_contained(flat, node.getOpType());
}

} // namespace sinter
