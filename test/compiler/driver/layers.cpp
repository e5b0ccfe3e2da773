// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/layers.h"

#include <cstring>
#include <doctest/doctest.h>

using namespace sinter;

static HostArray numbers(std::vector<int64_t> dims) {
  HostArray array = HostArray::zeros(ElementType::Float, dims);
  for (int64_t i = 0; i < array.size(); ++i) {
    float value = static_cast<float>(i + 1);
    std::memcpy(array.bytes.data() + i * 4, &value, 4);
  }
  return array;
}

/// The elements of `array` in another order: `from[i]` is the number of the element that comes at i, -1 a zero.
static std::string reordered(const HostArray &array, const std::vector<int64_t> &from) {
  std::string bytes(from.size() * 4, 0);
  for (size_t i = 0; i < from.size(); ++i)
    if (from[i] >= 0)
      std::memcpy(&bytes[i * 4], array.bytes.data() + from[i] * 4, 4);
  return bytes;
}

static void checkFinds(const HostArray &expected, const std::string &bytes, std::vector<int64_t> shape) {
  std::optional<HostArray> found = inOrderOf(expected, bytes, shape);
  REQUIRE(found);
  CHECK(found->dims == expected.dims);
  CHECK(found->bytes == expected.bytes);
}

TEST_CASE("a value is found in a buffer whose dims are in another order") {
  HostArray value = numbers({1, 3, 2, 2});
  checkFinds(value, value.bytes, {3, 4}); // reshaped
  std::vector<int64_t> channelsLast, blocks;
  for (int64_t p = 0; p < 4; ++p)
    for (int64_t c = 0; c < 3; ++c)
      channelsLast.push_back(c * 4 + p);
  checkFinds(value, reordered(value, channelsLast), {1, 2, 2, 3});
  // Channels in blocks of 2, the last half full.
  for (int64_t block = 0; block < 2; ++block)
    for (int64_t p = 0; p < 4; ++p)
      for (int64_t c = 2 * block; c < 2 * block + 2; ++c)
        blocks.push_back(c < 3 ? c * 4 + p : -1);
  checkFinds(value, reordered(value, blocks), {1, 2, 2, 2, 2});
}

TEST_CASE("integers that differ in a place are found in their order") {
  HostArray value = HostArray::zeros(ElementType::Int8, {1, 3, 2, 2});
  std::string channelsLast;
  for (int i = 0; i < 12; ++i)
    value.bytes[static_cast<size_t>(i)] = static_cast<char>(10 * i);
  for (int p = 0; p < 4; ++p)
    for (int c = 0; c < 3; ++c)
      channelsLast += static_cast<char>(10 * (c * 4 + p) + (p == 1 && c == 2));
  std::optional<HostArray> found = inOrderOf(value, channelsLast, {1, 2, 2, 3});
  REQUIRE(found);
  value.bytes[9] += 1;
  CHECK(found->bytes == value.bytes);
}

TEST_CASE("a buffer of other sizes is no form of the value") {
  HostArray value = numbers({2, 3});
  CHECK(!inOrderOf(value, std::string(28, 0), {7}));
}
