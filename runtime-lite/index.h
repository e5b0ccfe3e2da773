// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices that come from data. Whatever they are, what is returned lies within the dim, so that memory stays safe;
// `--index-check` says whether the call then fails (checkIndex), goes on (clampIndex), or the caller vouches for his
// data (trustIndex).
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter {
namespace {

/// The contract's statuses that generated code returns.
[[maybe_unused]] constexpr int kNullPointer = 1, kMisaligned = 2, kDimOutOfBounds = 3, kCapacityExceeded = 4,
                               kIndexOutOfRange = 5, kUnsupportedCpu = 6, kInvalidData = 8;

SINTER_FUNCTION int64_t checkIndex(int64_t index, int64_t size, int &status) {
  if (index >= 0 && index < size)
    return index;
  status = kIndexOutOfRange;
  return 0;
}
SINTER_FUNCTION int64_t clampIndex(int64_t index, int64_t size) {
  return index < 0 ? 0 : index < size ? index : size - 1;
}
/// -1 is the last.
SINTER_FUNCTION int64_t fromEnd(int64_t index, int64_t size) { return index < 0 ? index + size : index; }

} // namespace
} // namespace sinter
