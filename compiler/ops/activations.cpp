// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activations.h"

#include "math.h"

using namespace mlir;

namespace sinter {
namespace {
struct Known {
  StringRef name;
  bool usesAlpha, usesBeta;
  double alpha, beta;
};
constexpr Known knownActivations[] = {
    {"Relu", false, false, 0, 0},     {"Tanh", false, false, 0, 0},          {"Sigmoid", false, false, 0, 0},
    {"Affine", true, true, 1, 0},     {"LeakyRelu", true, false, 0.01, 0},   {"ThresholdedRelu", true, false, 1, 0},
    {"ScaledTanh", true, true, 1, 1}, {"HardSigmoid", true, true, 0.2, 0.5}, {"Elu", true, false, 1, 0},
    {"Softsign", false, false, 0, 0}, {"Softplus", false, false, 0, 0},
};
} // namespace

Value Activation::apply(const Scalars &s, Value x) const {
  Value zero = s.constant(0), one = s.constant(1), a = s.constant(alpha), c = s.constant(beta);
  if (name == "Relu")
    return s.max(x, zero);
  if (name == "Tanh")
    return tanh(s, x);
  if (name == "Sigmoid")
    return sigmoid(s, x);
  if (name == "Affine")
    return s.add(s.mul(a, x), c);
  if (name == "LeakyRelu")
    return s.select(s.compare(Compare::Less, x, zero), s.mul(a, x), x);
  if (name == "ThresholdedRelu")
    return s.select(s.compare(Compare::Greater, x, a), x, zero);
  if (name == "ScaledTanh")
    return s.mul(a, tanh(s, s.mul(c, x)));
  if (name == "HardSigmoid")
    return clamp(s, s.add(s.mul(a, x), c), 0, 1);
  if (name == "Elu")
    return s.select(s.compare(Compare::Less, x, zero), s.mul(a, expm1(s, x)), x);
  if (name == "Softsign")
    return s.div(x, s.add(one, s.abs(x)));
  return softplus(s, x);
}

FailureOr<SmallVector<Activation>> activationsOf(const Op &op, ArrayRef<StringRef> defaults, int64_t directions) {
  SmallVector<StringRef> names = op.strings("activations");
  SmallVector<double> alphas = op.reals("activation_alpha"), betas = op.reals("activation_beta");
  if (names.empty())
    for (int64_t d = 0; d < directions; ++d)
      llvm::append_range(names, defaults);
  size_t wanted = defaults.size() * directions;
  if (names.size() < wanted)
    return op.fail(Code::ShapeMismatch,
                   "'activations' names " + Twine(names.size()) + " functions, not " + Twine(wanted));
  SmallVector<Activation> result;
  size_t nextAlpha = 0, nextBeta = 0;
  for (StringRef name : ArrayRef(names).take_front(wanted)) {
    const Known *found =
        llvm::find_if(knownActivations, [&](const Known &k) { return k.name.equals_insensitive(name); });
    if (found == std::end(knownActivations))
      return op.fail(Code::UnsupportedForm, "activation '" + name + "' is not one of ONNX's");
    Activation activation{found->name, found->alpha, found->beta};
    if (found->usesAlpha && nextAlpha < alphas.size())
      activation.alpha = alphas[nextAlpha++];
    if (found->usesBeta && nextBeta < betas.size())
      activation.beta = betas[nextBeta++];
    result.push_back(activation);
  }
  return result;
}

} // namespace sinter
