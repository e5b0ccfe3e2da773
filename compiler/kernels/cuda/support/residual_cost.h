// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// About how long a GPU works at an inverted residual block, in one launch and in several: what decides whether fusing
// pays, and which tile is taken. In clocks of a multiprocessor, by counting instructions and bytes. The constants are
// those of data sheets and of docs/design/cuda.md; they have been held against no device.
#pragma once

#include "cuda/gpu.h"
#include "ir/dialect.h"
#include "templates/cuda/residual_shape.h"

namespace sinter {

/// Of the target's first GPU.
struct ResidualCost {
  const GpuArch &arch;
  int64_t images;

  double ofBlock(const cuda::ResidualShape &shape) const;
  /// A launch of its own for each convolution.
  double ofConvolutions(const cuda::ResidualShape &shape) const;

private:
  int64_t multiprocessors() const { return arch.isTegra ? 16 : 100; }
  double ofProducts(int64_t units, int64_t workers, int64_t perUnit, int64_t k, bool isOnMatrixUnit) const;
  double ofProduct(int64_t rows, int64_t columns, int64_t k, int elementBytes) const;
};

} // namespace sinter
