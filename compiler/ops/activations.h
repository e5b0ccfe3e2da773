// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activation functions that recurrent operators name in attributes.
#pragma once

#include "lowering.h"

namespace sinter {

struct Activation {
  llvm::StringRef name;
  double alpha, beta;
  mlir::Value apply(const Scalars &s, mlir::Value x) const;
};

/// `activations`, activation_alpha and activation_beta of a node: as many per direction as there are defaults. Fails
/// with a diagnostic for a name that ONNX does not have.
mlir::FailureOr<llvm::SmallVector<Activation>> activationsOf(const Op &op, llvm::ArrayRef<llvm::StringRef> defaults,
                                                             int64_t directions);

} // namespace sinter
