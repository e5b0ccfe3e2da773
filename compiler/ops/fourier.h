// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Discrete Fourier transforms as matrix products with tables of cosines and sines, which fold where the length is
// known.
#pragma once

#include "lowering.h"

namespace sinter {

struct Transform {
  Size length; ///< of the DFT
  bool inverse, onesided;
};

/// x [m, n, 1 or 2] to [m, k, 2], or [m, k, 1] for the inverse of a one-sided spectrum. Of n the first `length` entries
/// count (of a one-sided spectrum the first length / 2 + 1); missing ones are 0.
mlir::FailureOr<Tensor> fourier(Op &op, Tensor x, const Transform &transform);

} // namespace sinter
