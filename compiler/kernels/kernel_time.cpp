// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_time.h"

#include <algorithm>

namespace sinter {

std::optional<KernelTime> kernelTime(const Target &target, const KernelLoad &load) {
  double clock = target.machine.clockGhz * 1e3; // cycles in a microsecond
  if (!(clock > 0))
    return std::nullopt;
  // Half a cache for what a kernel works on: the rest holds what comes and goes meanwhile.
  MemoryLevel maps = target.levelOf(2 * load.mapBytes), weights = target.levelOf(load.netBytes);
  auto threads = static_cast<double>(std::max<int64_t>(load.threads, 1));
  double arithmetic = load.cycles / threads;
  // Threads have first and second-level caches of their own, and share what lies behind.
  auto cycles = [&](double bytes, MemoryLevel level) {
    double shared = level <= MemoryLevel::L2 ? threads : 1;
    return bytes / target.bytesPerCycleFrom(level) / shared;
  };
  double moving = cycles(load.mapBytes, maps) + cycles(load.weightBytes, weights);
  KernelTime time;
  if (moving > arithmetic)
    time.bound = load.weightBytes > 0 ? std::max(maps, weights) : maps;
  time.microseconds = (std::max(arithmetic, moving) + kCallCycles) / clock;
  if (threads > 1)
    time.microseconds += target.machine.handoffMicroseconds;
  return time;
}

} // namespace sinter
