// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many blocks of a kernel one SM holds at a time: the rules of NVIDIA's occupancy calculator.
#pragma once

#include "cuda/gpu.h"

namespace sinter {

struct Occupancy {
  int64_t byThreads = 0, byBlocks = 0, byRegisters = 0, byShared = 0; ///< blocks per SM that each resource allows
  int64_t blocks() const;                                             ///< 0: the kernel does not run on this GPU
  llvm::StringRef limit() const;                                      ///< "registers": what there is least of
};

/// `threads` of a block, `registers` of a thread, `shared` bytes of a block, static and dynamic.
Occupancy occupancy(const GpuArch &arch, int64_t threads, int64_t registers, int64_t shared);

} // namespace sinter
