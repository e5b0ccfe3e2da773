// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/occupancy.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace llvm;

namespace sinter {

int64_t Occupancy::blocks() const { return std::min({byThreads, byBlocks, byRegisters, byShared}); }

StringRef Occupancy::limit() const {
  int64_t least = blocks();
  return byThreads == least     ? "threads"
         : byRegisters == least ? "registers"
         : byShared == least    ? "shared memory"
                                : "blocks";
}

Occupancy occupancy(const GpuArch &arch, int64_t threads, int64_t registers, int64_t shared) {
  Occupancy result;
  constexpr int64_t mostThreads = 1024, registerUnit = 256; // registers are given to warps, in units
  if (threads < 1 || threads > mostThreads)
    return result;
  int64_t warps = divideCeil(threads, arch.warp);
  result.byThreads = arch.threads / arch.warp / warps;
  result.byBlocks = arch.blocks;

  // A warp lives in one of the sub-partitions, each of which has its part of the registers.
  int64_t ofWarp = alignTo(std::max<int64_t>(registers, 1) * arch.warp, registerUnit);
  if (ofWarp * warps <= arch.registersPerBlock)
    result.byRegisters = arch.registers / arch.subPartitions / ofWarp * arch.subPartitions / warps;

  int64_t ofBlock = alignTo(shared + arch.sharedReserved, arch.sharedUnit);
  if (shared <= arch.sharedPerBlock)
    result.byShared = ofBlock == 0 ? std::numeric_limits<int64_t>::max() : arch.shared / ofBlock;
  return result;
}

} // namespace sinter
