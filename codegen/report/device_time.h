// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long each call of a GPU's program takes by the cost model (kernels/cuda/support/gpu_time.h): contractions by
// their records, all else by its launch and what it reads and writes.
#pragma once

#include "codegen/kernels/kernel_list.h"
#include "kernels/cuda/support/launch_sequence.h"

namespace sinter {

struct DeviceTime {
  double microseconds = 0; ///< without the gap before it
  double gap = 0;
  std::string bound; ///< what takes longest
  double weightBytes = 0, mapBytes = 0, flops = 0;
  std::string choice; ///< the tile that was taken, and the one behind it
};

/// Behind those that `sequence` has already. Nothing where the launch depends on sizes that only a call knows.
std::optional<DeviceTime> deviceTimeOf(const PrintedCall &call, const PrintedFunction &function, const Target &target,
                                       LaunchSequence &sequence);

} // namespace sinter
