// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the last block of split_k.h adds up, for the kernel and for the compiler, which estimates its time: plain
// numbers, no header of the device.
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter::cuda {

/// Slices that are fetched before the first is added: as many as registers hold, where a thread has so many sums.
SINTER_HOST_DEVICE constexpr int slicesAtOnce(int sumsOfThread) {
  constexpr int registers = 64;
  return sumsOfThread > registers ? 1 : registers / sumsOfThread > 4 ? 4 : registers / sumsOfThread;
}

} // namespace sinter::cuda
