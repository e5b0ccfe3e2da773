// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arenas of a program: one for each memory space that it uses, or one for each region of a space
// (--ram fast=64K,slow=256K). As a module states them, and as a planned function has them.
#pragma once

#include "ir/space.h"

#include <optional>
#include <string>
#include <vector>

namespace sinter {

/// Memory that the caller gives: a piece of its own, or a part of one block for the space.
struct Arena {
  MemoryKind space = MemoryKind::Host;
  std::string name;          ///< of the region; empty: the space has one arena
  int64_t limit = INT64_MAX; ///< the most bytes that it may have
  int64_t alignment = 0;     ///< of what lies in it; 0: as the target says
  int64_t begin = 0;         ///< in one block: the arenas of a space lie one behind the other
  int64_t bytes = 0;         ///< used by the plan
  int64_t needed = 0;        ///< what any plan uses at least (needed_bytes.h)
};

/// The arenas that a module (`sinter.arenas`: the limits, no bytes yet) or a planned function states, regions from the
/// fastest on. The host's come first; where nothing is stated, it has one of `sinter.arena_bytes`.
std::vector<Arena> arenasOf(mlir::Operation *op);
void setArenas(mlir::Operation *op, llvm::ArrayRef<Arena> arenas);

/// The number of the arena that a buffer of such a type lies in: the named region, or the first of the space; nullopt:
/// there is none.
std::optional<unsigned> findArena(llvm::ArrayRef<Arena> arenas, SpaceAttr space);

/// As types name it: the first arena of a space by the space alone.
SpaceAttr spaceOf(llvm::ArrayRef<Arena> arenas, unsigned number, mlir::MLIRContext *context);

} // namespace sinter
