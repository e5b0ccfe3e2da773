// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks per SM against the CUDA occupancy calculator's.
#include "cuda/occupancy.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {
struct Known {
  int sm;
  int64_t threads, registers, shared, blocks;
  const char *limit;
};
} // namespace

TEST_CASE("known values") {
  const Known known[] = {
      // Registers of a warp are rounded up to 256, and each sub-partition has a quarter of them.
      {80, 256, 32, 0, 8, "threads"},
      {80, 256, 40, 0, 6, "registers"},
      {80, 256, 64, 0, 4, "registers"},
      {80, 256, 65, 0, 3, "registers"},
      {80, 128, 168, 0, 3, "registers"},
      {80, 1024, 64, 0, 1, "registers"},
      {80, 1024, 65, 0, 0, "registers"},
      {80, 96, 128, 0, 5, "registers"},
      // 1 KB of each block is the driver's from sm_80 on.
      {80, 128, 32, 49152, 3, "shared memory"},
      {80, 128, 32, 166912, 1, "shared memory"},
      {80, 128, 32, 166913, 0, "shared memory"},
      {86, 128, 32, 24576, 4, "shared memory"},
      {86, 128, 32, 24577, 3, "shared memory"},
      {87, 128, 80, 49152, 3, "shared memory"},
      {87, 128, 56, 36864, 4, "shared memory"},
      {87, 128, 40, 24576, 6, "shared memory"},
      {90, 128, 40, 24576, 9, "shared memory"},
      {90, 128, 56, 36864, 6, "shared memory"},
      {90, 128, 80, 49152, 4, "shared memory"},
      // Older ones have none of that, and units of 256 bytes.
      {75, 128, 32, 16384, 4, "shared memory"},
      {75, 64, 32, 0, 16, "threads"},
      {75, 32, 32, 0, 16, "blocks"},
      {53, 64, 32, 0, 32, "threads"},
      {53, 512, 64, 0, 2, "registers"},
      {53, 512, 65, 0, 0, "registers"}, // 32768 registers of a block at most
      {87, 32, 16, 0, 16, "blocks"},
      {89, 64, 16, 0, 24, "threads"},
      {120, 128, 32, 101376, 1, "shared memory"},
      {80, 1025, 16, 0, 0, "threads"},
  };
  for (const Known &each : known) {
    CAPTURE(each.sm);
    CAPTURE(each.threads);
    CAPTURE(each.registers);
    CAPTURE(each.shared);
    Occupancy found = occupancy(*findGpuArch(each.sm), each.threads, each.registers, each.shared);
    CHECK(found.blocks() == each.blocks);
    CHECK(found.limit() == each.limit);
  }
}
