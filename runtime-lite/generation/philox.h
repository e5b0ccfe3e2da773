// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers by place instead of by turn: Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2,
// 3", 2011). What is drawn at a position of a text depends on the seed, the text's number and the position alone, so
// that rewinding, batches and threads change nothing.
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter {
namespace {

struct PhiloxBlock {
  uint32_t word[4];
};

SINTER_FUNCTION PhiloxBlock philox(PhiloxBlock counter, uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t(0xd2511f53u) * counter.word[0];
    const uint64_t b = uint64_t(0xcd9e8d57u) * counter.word[2];
    counter = {{uint32_t(b >> 32) ^ counter.word[1] ^ key0, uint32_t(b), uint32_t(a >> 32) ^ counter.word[3] ^ key1,
                uint32_t(a)}};
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  return counter;
}

/// What a number is drawn for: different ones at a position are independent.
enum class DrawFor : uint32_t { token, acceptance, residual, beam };

/// 64 random bits, a number in [0, 1) as parts of 2^64.
SINTER_FUNCTION uint64_t randomAt(uint64_t seed, uint32_t sequence, uint64_t position, DrawFor use) {
  const PhiloxBlock block = philox({{uint32_t(position), uint32_t(position >> 32), sequence, uint32_t(use)}},
                                   uint32_t(seed), uint32_t(seed >> 32));
  return uint64_t(block.word[0]) << 32 | block.word[1];
}

} // namespace
} // namespace sinter
