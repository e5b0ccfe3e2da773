// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A memory space of several regions (--ram fast=64K,slow=256K): what is hottest lies in the fastest. On slots alone;
// places.cpp says which there are and how hot they are.
#pragma once

#include "arenas.h"
#include "pack.h"

#include <optional>
#include <vector>

namespace sinter {

/// A slot as regions compete for it.
struct Heat {
  double accessesPerByte = 0;
  std::optional<unsigned> region; ///< that it must have
};

/// The slots of each region, in an order in which pack() fits them in. Hot slots come first, each to the fastest region
/// that has room for it. Where one finds no room at all, it moves before those that are hotter, and the choice begins
/// anew; if that does not end, what finds no room is in the last region, which is larger than its limit then.
std::vector<std::vector<unsigned>> chooseRegions(llvm::ArrayRef<Slot> slots, llvm::ArrayRef<Overlap> overlaps,
                                                 llvm::ArrayRef<Heat> heat, llvm::ArrayRef<Arena> regions,
                                                 int64_t alignment);

/// Those that lie within `members`, renumbered by their places there.
std::vector<Overlap> overlapsAmong(llvm::ArrayRef<unsigned> members, llvm::ArrayRef<Overlap> overlaps);

} // namespace sinter
