// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A RAM of several regions (--ram fast=64K,slow=256K): what is hottest lies in the fastest. Without IR; plan.cpp says
// which slots there are and how hot they are.
#pragma once

#include "pack.h"

#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <string>
#include <vector>

namespace sinter {

/// A part of the arena that the caller gives memory of its own, or a part of one block of memory.
struct RamRegion {
  std::string name;
  int64_t limit = INT64_MAX; ///< the most bytes that it may have
  int64_t begin = 0;         ///< in the arena, where that is one block: regions lie one behind the other
  int64_t bytes = 0;         ///< used

  bool holds(int64_t offset) const { return begin <= offset && offset < begin + bytes; }
};

/// The regions that a module (`sinter.ram`, the limits) or a planned function (with begin and bytes) states, the
/// fastest first; none: the arena is one.
std::vector<RamRegion> regionsOf(mlir::Operation *op);
void setRegions(mlir::Operation *op, llvm::ArrayRef<RamRegion> regions);

/// The slots of each region, in an order in which pack() fits them in. `heat`: accesses per byte. Hot slots come first,
/// each to the fastest region that has room for it. Where one finds no room at all, it moves before those that are
/// hotter, and the choice begins anew; if that does not end, what finds no room is in the last region, which is larger
/// than its limit then.
std::vector<std::vector<unsigned>> chooseRegions(llvm::ArrayRef<Slot> slots, llvm::ArrayRef<Overlap> overlaps,
                                                 llvm::ArrayRef<double> heat, llvm::ArrayRef<RamRegion> regions,
                                                 int64_t alignment);

/// Those that lie within `members`, renumbered by their places there.
std::vector<Overlap> overlapsAmong(llvm::ArrayRef<unsigned> members, llvm::ArrayRef<Overlap> overlaps);

} // namespace sinter
