// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// map_arrays.cpp: maps of code points in two stages, as many as have numbers.
#include "tokenizer/map_arrays.h"

#include <doctest/doctest.h>

using namespace sinter::tokenizer;

namespace {
/// Each of the first characters becomes itself and a blank.
Sequences spacedCharacters(uint32_t count) {
  Sequences mapping;
  for (uint32_t c = 1; c <= count; ++c)
    mapping[c] = {c, ' '};
  return mapping;
}
} // namespace

TEST_CASE("map arrays: as many results as a map has numbers for") {
  const std::optional<MappingArrays> arrays = mappingArraysOf(spacedCharacters(65535));
  REQUIRE(arrays);
  const sinter::generation::CodePointMap map = {arrays->map.index.data(), arrays->map.blocks.data()};
  bool isEach = true;
  for (uint32_t c = 1; c <= 65535; ++c)
    isEach &= arrays->sequences[arrays->starts[sinter::generation::mapped(map, c) - 1]] == c;
  CHECK(isEach);
}

TEST_CASE("map arrays: one result more is refused") { CHECK(!mappingArraysOf(spacedCharacters(65536))); }

TEST_CASE("map arrays: characters with one result share its number") {
  Sequences mapping;
  for (uint32_t c = 1; c <= 70000; ++c)
    mapping[c] = {' '};
  const std::optional<MappingArrays> arrays = mappingArraysOf(mapping);
  REQUIRE(arrays);
  CHECK(arrays->sequences.size() == 1);
}
