// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// philox.h: the published answers of Philox 4x32-10, and independence of places.
#include "runtime-lite/generation/philox.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("philox: known answers") {
  const PhiloxBlock zero = philox({{0, 0, 0, 0}}, 0, 0);
  CHECK(zero.word[0] == 0x6627e8d5u);
  CHECK(zero.word[1] == 0xe169c58du);
  CHECK(zero.word[2] == 0xbc57ac4cu);
  CHECK(zero.word[3] == 0x9b00dbd8u);
  const PhiloxBlock ones = philox({{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u);
  CHECK(ones.word[0] == 0x408f276du);
  CHECK(ones.word[1] == 0x41c83b0eu);
  const PhiloxBlock pi = philox({{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}}, 0xa4093822u, 0x299f31d0u);
  CHECK(pi.word[0] == 0xd16cfe09u);
  CHECK(pi.word[3] == 0x24126ea1u);
}

TEST_CASE("philox: each place has a number of its own") {
  const uint64_t at = randomAt(1, 2, 3, DrawFor::token);
  CHECK(at == randomAt(1, 2, 3, DrawFor::token));
  CHECK(at != randomAt(2, 2, 3, DrawFor::token));
  CHECK(at != randomAt(uint64_t(1) << 32 | 1, 2, 3, DrawFor::token));
  CHECK(at != randomAt(1, 3, 3, DrawFor::token));
  CHECK(at != randomAt(1, 2, 4, DrawFor::token));
  CHECK(at != randomAt(1, 2, uint64_t(1) << 32 | 3, DrawFor::token));
  CHECK(at != randomAt(1, 2, 3, DrawFor::acceptance));
}
