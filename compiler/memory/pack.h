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

/// Two slots alive together that need not be disjoint: it is enough that `below` begins at least `distance` bytes
/// (perhaps negative) before `above`, and, where they have bytes in common, a multiple of `grain` bytes before it. A
/// kernel's output below its input; the input ends where the output begins.
struct Overlap {
  unsigned below, above;
  int64_t distance, grain = 1;
};

/// The largest sum of slots alive at one step, what overlaps save taken off: no packing is smaller.
int64_t largestLiveSum(llvm::ArrayRef<Slot> slots, llvm::ArrayRef<Overlap> overlaps = {});

/// Chooses offsets so that slots alive together do not overlap, and returns the bytes needed. Deterministic: its effort
/// is counted in steps, not in time, and ends where `enough` bytes suffice. Sizes are multiples of the alignment.
int64_t pack(llvm::MutableArrayRef<Slot> slots, llvm::ArrayRef<Overlap> overlaps = {}, int64_t alignment = 1,
             int64_t enough = 0);

} // namespace sinter
