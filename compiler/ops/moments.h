// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mean and variance over axes, and what the normalisations have in common: (x - mean) / sqrt(variance + epsilon).
#pragma once

#include "lowering.h"

namespace sinter {

/// float for half types, else the type itself: what statistics are computed in.
ElementType statisticsType(ElementType type);

struct Moments {
  Tensor mean, variance; ///< over the axes, which are kept with size 1
};
/// Of the population. x has a statistics type.
Moments moments(Op &op, Tensor x, llvm::ArrayRef<int64_t> axes);
Tensor meanOver(Op &op, Tensor x, llvm::ArrayRef<int64_t> axes);

struct Normalized {
  Tensor y, mean, inverseDeviation; ///< all in x's type
};
Normalized normalize(Op &op, Tensor x, llvm::ArrayRef<int64_t> axes, double epsilon);

/// y * scale + bias (bias may be null), broadcast, result of type `out`.
Tensor scaleAndShift(Op &op, Tensor y, Tensor scale, Tensor bias, ElementType out);

/// A vector of channels lined up with dim 1 of a tensor of the given rank.
Tensor alongChannels(Op &op, Tensor vector, int64_t rank);

} // namespace sinter
