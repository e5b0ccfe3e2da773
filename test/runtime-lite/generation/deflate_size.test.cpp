// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// deflate_size.h: sizes that zlib 1.2.13 has at level 6, of texts of each kind: nothing, single bytes, runs, repeats
// near and far, noise (stored), codes that would be too long.
#include "runtime-lite/generation/deflate_size.h"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <vector>

using namespace sinter;

namespace {
int64_t sizeOf(int32_t count, const std::function<uint32_t(uint32_t)> &byte) {
  const auto scratch = std::make_unique<DeflateScratch>();
  std::vector<uint8_t> bytes(static_cast<size_t>(count) + 1);
  for (uint32_t i = 0; i < static_cast<uint32_t>(count); ++i)
    bytes[i] = static_cast<uint8_t>(byte(i));
  return deflatedSize(bytes.data(), count, scratch.get());
}
uint32_t noise(uint32_t i) { return (i * 2654435761u) >> 13; }
} // namespace

TEST_CASE("nothing and single bytes") {
  CHECK(sizeOf(0, []([[maybe_unused]] uint32_t i) { return i; }) == 8);
  CHECK(sizeOf(1, []([[maybe_unused]] uint32_t i) { return i; }) == 9);
  CHECK(sizeOf(3, []([[maybe_unused]] uint32_t i) { return i; }) == 11);
}
TEST_CASE("runs and repeats") {
  CHECK(sizeOf(300, []([[maybe_unused]] uint32_t i) { return 7; }) == 13);
  CHECK(sizeOf(2000, []([[maybe_unused]] uint32_t i) { return i % 7; }) == 30);
  CHECK(sizeOf(9000, []([[maybe_unused]] uint32_t i) { return i % 4500 * 31 / 7; }) == 942);
  CHECK(sizeOf(444, []([[maybe_unused]] uint32_t i) { return i % 2 ? 1 : i % 24 * 10; }) == 38);
}
TEST_CASE("noise") {
  CHECK(sizeOf(40, []([[maybe_unused]] uint32_t i) { return noise(i); }) == 51);
  CHECK(sizeOf(16383, []([[maybe_unused]] uint32_t i) { return noise(i); }) == 1803);
  CHECK(sizeOf(3000, []([[maybe_unused]] uint32_t i) { return noise(i) % 3 ? noise(i) % 11 : i / 100; }) == 1375);
}

TEST_CASE("codes as long as they may be") {
  const auto fibonacci = [](uint32_t i) { // as often as these numbers say
    uint32_t symbol = 0, end = 1;
    for (uint32_t a = 1, b = 1; i >= end; ++symbol) {
      const uint32_t sum = a + b;
      a = b, b = sum, end += a;
    }
    return symbol;
  };
  CHECK(sizeOf(4000, [&](uint32_t i) { return fibonacci(i * 1597 % 4000); }) == 139);
}
