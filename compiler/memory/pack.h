// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets for slots with sizes and lifetimes: the packing itself, without IR. plan.cpp says which slots there are.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace sinter {

/// `bytes` of memory, needed at every step of first..last (both included).
struct Slot {
  int64_t bytes, first, last;
  int64_t offset = 0;
};

/// The largest sum of slots alive at one step: no packing is smaller.
int64_t largestLiveSum(llvm::ArrayRef<Slot> slots);

/// Chooses offsets so that slots alive together do not overlap, and returns the bytes needed. Deterministic: its effort
/// is counted in steps, not in time. Sizes are multiples of the alignment already, so offsets are too.
int64_t pack(llvm::MutableArrayRef<Slot> slots);

} // namespace sinter
