// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a launch takes on a GPU, by the numbers of its target (target/gpu_model.h): a block goes through steps, each
// of which issues instructions, multiplies, goes through shared memory and fetches bytes; an SM holds several blocks,
// and takes what it holds in rounds. Pure functions on plain numbers; design/cuda.md says what is left out.
#pragma once

#include "target/gpu_model.h"

#include "llvm/ADT/StringRef.h"

namespace sinter {

inline constexpr double warp = 32; ///< threads

/// A launch in numbers. Those of a step are of all threads of a block.
struct GpuWork {
  double blocks = 1;
  int64_t threads = 128, registers = 64, sharedBytes = 0; ///< of a block, and of each thread
  double steps = 1;                                       ///< of a block, one after the other
  double instructions = 0;                                ///< of a step, each for a whole warp
  /// From an instruction of a warp to its next one, as most need what the one before makes: 4.2 to 5.7 in products and
  /// convolutions on an H200. So one or two warps of a scheduler do not keep it busy.
  double clocksOfWarp = 4.5;
  double matrixMacs = 0, floatMacs = 0; ///< of a step, on the matrix unit (as halves) and in floats
  double sharedTraffic = 0;             ///< bytes of a step from and to shared memory
  double fetched = 0;                   ///< bytes of a step that come from L2 or DRAM
  double chain = 0;                     ///< clocks that a block takes for a step, however alone it is
  double ahead = 1;                     ///< steps whose bytes are under way at a time
  double once = 0;                      ///< instructions of a block beside its steps
  double trips = 1;                     ///< from an SM to L2 and back, after the steps: what was stored is there
  double parts = 0;                     ///< bytes of other blocks that a block fetches after its steps
  double weightBytes = 0, mapBytes = 0; ///< of the launch, each once
};

struct GpuTime {
  double microseconds = 0;    ///< without the gap before it
  llvm::StringRef bound = ""; ///< what takes longest: "DRAM", "issue", "latency", ...
};

/// Weights come from DRAM; maps too where L2 does not hold them twice, as what reads them next wants them.
GpuTime timeOf(const GpuModel &gpu, const GpuWork &work);

/// The same of a launch that begins before the one in front has ended, if the GPU does so: most of its weights are in
/// L2 by the time that it may begin. What choices go by; launch_sequence.h has the time of each launch behind the
/// others.
GpuTime timeInSequence(const GpuModel &gpu, const GpuWork &work);
/// The same where all of them are.
GpuTime timeBehindWeights(const GpuModel &gpu, const GpuWork &work);
/// Microseconds that bytes keep DRAM busy.
double dramTime(const GpuModel &gpu, double bytes);
/// The least from the end of a launch to the next one's first step.
double leastGap(const GpuModel &gpu);

/// Blocks that an SM holds, of as many as there are for it.
double residentBlocks(const GpuModel &gpu, const GpuWork &work);

/// Launches one after the other by the same blocks, or blocks of several side by side, as one.
GpuWork sideBySide(const GpuWork &a, const GpuWork &b);

} // namespace sinter
