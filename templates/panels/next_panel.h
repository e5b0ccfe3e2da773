// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the tiles of a panel of weights bring the next panel from memory while they compute: each asks for a share of it.
// gemm.h, conv.h, conv_planar.h and conv_winograd.h do so.
#pragma once

#include "runtime-lite/types.h"

namespace sinter {
namespace {

/// What comes next, for which a tile asks as it goes: in each step of k for the cache line at `at`, which moves on by
/// `step` bytes.
struct Ahead {
  const char *at;
  int64_t step;
};

/// A panel that is read next, for the tiles of the panel before it, of which each asks for its share. All of the first
/// tile's asking would come faster than memory brings it, and its own loads would wait behind; a step that asks for a
/// few bytes asks for most lines several times, which costs no more.
class NextPanel {
public:
  /// At `from`, for tiles of `steps` steps of k; each of which takes `stepBytes` of a panel.
  SINTER_INLINE_MEMBER NextPanel(const void *from, int64_t stepBytes, int64_t steps, int64_t tiles)
      : from(static_cast<const char *>(from)), bytes(stepBytes * steps), steps(steps), step(shareOf(stepBytes, tiles)) {
  }
  /// That of the tile which comes now.
  SINTER_INLINE_MEMBER Ahead share() const { return {from + done, step}; }
  SINTER_INLINE_MEMBER void endTile() {
    done += steps * step;
    if (done >= bytes)
      done = 0;
  }

private:
  /// A power of two that suffices. Of less than 8 bytes, a cache could lose the first lines before they are read.
  SINTER_INLINE_MEMBER static int64_t shareOf(int64_t stepBytes, int64_t tiles) {
    return tiles * 8 >= stepBytes ? 8 : tiles * 16 >= stepBytes ? 16 : tiles * 32 >= stepBytes ? 32 : 64;
  }
  const char *from;
  int64_t bytes, steps, step, done = 0;
};

} // namespace
} // namespace sinter
