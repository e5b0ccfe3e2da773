// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that are normalised by the products which read them, LayerNormalization or RMSNormalization: simt_norm_gemm.h,
// tile_norm_gemm.h.
#pragma once

#include "templates/cuda/row_of_warp.h"

namespace sinter::cuda {
namespace {

/// What is done to an element of a normalised row.
template <class S>
struct NormScale {
  const S *scale;
  SINTER_DEVICE float operator()(float v, int j) const { return v * toFloat(scale[j]); }
};
template <class S>
struct NormScaleShift {
  const S *scale, *bias;
  SINTER_DEVICE float operator()(float v, int j) const { return fma(v, toFloat(scale[j]), toFloat(bias[j])); }
};

/// Where `keeps`, the first column of blocks stores the normalised rows, `ldNormed` apart.
template <class T, class Finish>
struct NormedRows {
  const T *x;
  int ldx;
  bool isCentered;
  float epsilon;
  Finish finish;
  bool keeps;
  T *normed;
  int ldNormed;
};

} // namespace
} // namespace sinter::cuda
