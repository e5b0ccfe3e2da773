// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that are normalised by the products which read them, LayerNormalization or RMSNormalization: simt_norm_gemm.h,
// tile_norm_gemm.h.
#pragma once

#include "templates/cuda/lane_runs.h"

namespace sinter::cuda {
namespace {

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
