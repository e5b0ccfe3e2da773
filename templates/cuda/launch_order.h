// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that begin before the one before has ended ("programmatic dependent launch", sm_90 on): a kernel asks for
// its weights, which nobody writes, and then waits for the launch before, so that neither the way of its blocks to the
// GPU nor that of the weights from DRAM takes time of its own. Which launches do so the graph says
// (runtime-lite/cuda/graph.h); else there is nothing to wait for. Source: PTX ISA, griddepcontrol, prefetch.
#pragma once

#include "templates/cuda/device.h"

namespace sinter::cuda {
namespace {

/// Until all that launches before this one wrote is seen, and nobody reads any more what this one writes. Each thread
/// comes here before it touches what others write.
SINTER_DEVICE void awaitLaunchBefore() {
#if !SINTER_ON_DEVICE
  emulation::awaitLaunchBefore();
#elif SINTER_CUDA_ARCH >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// The next launch may begin once all blocks are here, or have ended. Its blocks take the place that they find: where
/// those of this launch fill an SM, they gather on few others, and stay there. So a kernel that uses shared memory says
/// this when all is done but its stores, or its blocks just end: products in floats then take two thirds of the time
/// on an H200.
SINTER_DEVICE void letNextBegin() {
#if SINTER_ON_DEVICE && SINTER_CUDA_ARCH >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// The threads of all blocks, of kThreads each, ask for `bytes` of constants: these come to L2.
template <int kThreads>
SINTER_DEVICE void bringToL2([[maybe_unused]] const void *constants, [[maybe_unused]] int64_t bytes) {
#if !SINTER_ON_DEVICE || SINTER_CUDA_ARCH >= 900
  constexpr int kSector = 32; // what L2 holds or does not
  const int64_t block = (int64_t(blockZ()) * blocksY() + blockY()) * blocksX() + blockX();
  const int64_t threads = int64_t(blocksX()) * blocksY() * blocksZ() * kThreads;
  SINTER_DEVICE_LOOP
  for (int64_t at = (block * kThreads + threadIndex()) * kSector; at < bytes; at += threads * kSector) {
    const unsigned char *sector = static_cast<const unsigned char *>(constants) + at;
#if SINTER_ON_DEVICE
    asm volatile("prefetch.global.L2 [%0];" ::"l"(sector));
#else
    emulation::bringToL2(sector);
#endif
  }
#endif
}

} // namespace
} // namespace sinter::cuda
