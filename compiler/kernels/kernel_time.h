// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a call of a kernel takes on a CPU, by what the target's description says of the machine (target/machine.h):
// its arithmetic at the rate that its loops reach, or its data at the rate of the memory that holds them, whichever
// takes longer, since data are fetched ahead while arithmetic goes on. The report has the result beside each kernel
// (codegen/report/report_estimates.cpp).
#pragma once

#include "target/target.h"

#include <optional>

namespace sinter {

/// What a call does, in numbers.
struct KernelLoad {
  double cycles = 0;      ///< of arithmetic, by the kernel's own estimate (kernels/cycles.h)
  double mapBytes = 0;    ///< read and written, constants left out
  double weightBytes = 0; ///< constants that it reads
  double netBytes = 0;    ///< all that a call of the model touches: constants were last read one call of the model ago
  int64_t threads = 1;
};

struct KernelTime {
  double microseconds = 0;
  std::optional<MemoryLevel> bound; ///< the memory that it waits for; none: arithmetic
};

/// Cycles from one kernel's end to the next one's first result: a call, and loops that begin.
constexpr double kCallCycles = 100;

/// Nothing where the target does not say how fast its clock is.
std::optional<KernelTime> kernelTime(const Target &target, const KernelLoad &load);

} // namespace sinter
