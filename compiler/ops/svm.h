// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What support vector machines of ai.onnx.ml share: the kernel function between samples and support vectors.
#pragma once

#include "lowering.h"

namespace sinter {

/// K [n, vectors] of x [n, features] and the attribute support_vectors [vectors, features]: x v, (gamma x v +
/// r)^degree, tanh(gamma x v + r) or exp(-gamma |x - v|^2).
mlir::FailureOr<Tensor> kernelOfSvm(Op &op, Tensor x, int64_t vectors);

} // namespace sinter
