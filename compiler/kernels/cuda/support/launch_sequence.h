// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launches of a call one after the other, as a graph has them: gaps between them, and what a launch does while the
// one before still runs (templates/cuda/launch_order.h). What a launch takes by itself is in gpu_time.h.
#pragma once

#include "gpu_time.h"

#include "llvm/ADT/ArrayRef.h"

namespace sinter {

class LaunchSequence {
public:
  explicit LaunchSequence(const GpuModel &gpu) : gpu(gpu) {}

  struct Timed {
    double gap = 0; ///< microseconds from the end of the one before to the first step
    double microseconds = 0;
    llvm::StringRef bound;
  };
  /// `works`: those of the launch's blocks, one after the other. `bringsWeights`: before it waits for the one before.
  Timed add(llvm::ArrayRef<GpuWork> works, bool bringsWeights);
  /// A launch of which nothing is known.
  void addUnknown() { before.clear(); }

private:
  /// Whether a block finds room on an SM beside all blocks of the launch before.
  bool hasRoomFor(llvm::ArrayRef<GpuWork> works) const;

  const GpuModel &gpu;
  llvm::SmallVector<GpuWork> before;
  double start = 0, end = 0; ///< of the launch before: of its first step, of its last
  double dramIsFree = 0;     ///< from when on: weights come in order
};

} // namespace sinter
