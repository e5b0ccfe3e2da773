// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_sequence.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace sinter {

bool LaunchSequence::hasRoomFor(llvm::ArrayRef<GpuWork> works) const {
  constexpr double registersOfSm = 65536, sharedReserved = 1024;
  return llvm::all_of(before, [&](const GpuWork &running) {
    double blocks = std::ceil(running.blocks / double(gpu.sms));
    if (blocks > residentBlocks(gpu, running) || blocks + 1 > double(gpu.blocks))
      return false;
    return llvm::all_of(works, [&](const GpuWork &next) {
      return blocks * double(running.threads) + double(next.threads) <= double(gpu.threads) &&
             blocks * double(running.threads * running.registers) + double(next.threads * next.registers) <=
                 registersOfSm &&
             blocks * (double(running.sharedBytes) + sharedReserved) + double(next.sharedBytes) + sharedReserved <=
                 double(gpu.shared);
    });
  });
}

LaunchSequence::Timed LaunchSequence::add(llvm::ArrayRef<GpuWork> works, bool bringsWeights) {
  bool isEarly = gpu.earlyGapMicroseconds > 0 && !before.empty() && hasRoomFor(works);
  // An early launch is on its way from the first step of the one before on.
  double arrival = (isEarly ? start : end) + gpu.gapMicroseconds;
  double first = isEarly ? std::max(arrival, end + gpu.earlyGapMicroseconds) : arrival;
  Timed timed;
  timed.gap = first - end;
  double longest = -1, weightBytes = 0;
  for (const GpuWork &work : works) {
    GpuTime each = bringsWeights ? timeBehindWeights(gpu, work) : timeOf(gpu, work);
    timed.microseconds += each.microseconds;
    weightBytes += work.weightBytes;
    if (each.microseconds > longest)
      timed.bound = each.bound;
    longest = std::max(longest, each.microseconds);
  }
  dramIsFree = std::max(dramIsFree, bringsWeights ? arrival : first) + dramTime(gpu, weightBytes);
  if (bringsWeights && weightBytes > 0) {
    // The first step waits for what has not come yet, the last for the last of it.
    double longerWay = (gpu.memoryNanoseconds - gpu.l2Nanoseconds) / 1000;
    timed.microseconds += std::max(longerWay - (first - arrival), 0.0);
    double isThere = dramIsFree + gpu.memoryNanoseconds / 1000 + gpu.l2Nanoseconds / 1000;
    if (isThere > first + timed.microseconds) {
      timed.microseconds = isThere - first;
      timed.bound = "DRAM";
    }
  }
  start = first;
  end = first + timed.microseconds;
  before.assign(works.begin(), works.end());
  return timed;
}

} // namespace sinter
