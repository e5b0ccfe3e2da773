// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ONNX's activation functions as objects that recurrent.h (and any body) can be given: those with parameters carry
// them.
#pragma once

#include "templates/math_log.h"

namespace sinter {
namespace {

#define SINTER_ACTIVATION(Name, expression)                                                                            \
  struct Name {                                                                                                        \
    float alpha = 0, beta = 0;                                                                                         \
    template <class V>                                                                                                 \
    SINTER_INLINE_MEMBER V operator()(V x) const {                                                                     \
      [[maybe_unused]] const auto a = ElementOf<V>(alpha), b = ElementOf<V>(beta);                                     \
      return expression;                                                                                               \
    }                                                                                                                  \
  };
SINTER_ACTIVATION(Relu, relu(x))
SINTER_ACTIVATION(Tanh, tanh(x))
SINTER_ACTIVATION(Sigmoid, sigmoid(x))
SINTER_ACTIVATION(Affine, V(a *x + b))
SINTER_ACTIVATION(LeakyRelu, select(x < V{}, V(a *x), x))
SINTER_ACTIVATION(ThresholdedRelu, select(x > splat<V>(a), x, V{}))
SINTER_ACTIVATION(ScaledTanh, V(a *tanh(V(b *x))))
SINTER_ACTIVATION(HardSigmoid, clamp(V(a *x + b), V{}, splat<V>(ElementOf<V>(1))))
SINTER_ACTIVATION(Elu, select(x < V{}, V(a *expm1(x)), x))
SINTER_ACTIVATION(Softsign, V(x / (abs(x) + ElementOf<V>(1))))
SINTER_ACTIVATION(Softplus, softplus(x))
#undef SINTER_ACTIVATION

} // namespace
} // namespace sinter
