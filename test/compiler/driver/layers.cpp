// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers are read as their layout says, and in no other way, even where another would agree better.
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

static std::optional<HostArray> read(const HostArray &expected, const std::string &bytes, std::vector<int64_t> shape,
                                     const char *layout, std::string element = "f32") {
  std::string reason;
  ValueReport value{0, "v", "n", element, *ValueLayout::parse(layout), shape, {}};
  std::optional<HostArray> found = inOrderOf(expected, bytes, value, reason);
  CHECK(found.has_value() == reason.empty());
  return found;
}

static void checkReads(const HostArray &expected, const std::string &bytes, std::vector<int64_t> shape,
                       const char *layout) {
  std::optional<HostArray> found = read(expected, bytes, shape, layout);
  REQUIRE(found);
  CHECK(found->dims == expected.dims);
  CHECK(found->bytes == expected.bytes);
}

TEST_CASE("a buffer is read in the layout that is stated") {
  HostArray value = numbers({1, 3, 2, 2});
  checkReads(value, value.bytes, {3, 4}, "d0 d1 d2 d3"); // reshaped
  std::vector<int64_t> channelsLast, blocks;
  for (int64_t p = 0; p < 4; ++p)
    for (int64_t c = 0; c < 3; ++c)
      channelsLast.push_back(c * 4 + p);
  checkReads(value, reordered(value, channelsLast), {1, 2, 2, 3}, "d0 d2 d3 d1");
  checkReads(value, reordered(value, channelsLast), {4, 3}, "d0 d2 d3 d1");
  // Channels in blocks of 2, the last half full.
  for (int64_t block = 0; block < 2; ++block)
    for (int64_t p = 0; p < 4; ++p)
      for (int64_t c = 2 * block; c < 2 * block + 2; ++c)
        blocks.push_back(c < 3 ? c * 4 + p : -1);
  checkReads(value, reordered(value, blocks), {1, 2, 2, 2, 2}, "d0 d1/2 d2 d3 d1%2");
}

TEST_CASE("height and width that changed places differ, though another order would agree") {
  HostArray value = numbers({1, 1, 3, 3});
  std::vector<int64_t> swapped;
  for (int64_t w = 0; w < 3; ++w)
    for (int64_t h = 0; h < 3; ++h)
      swapped.push_back(h * 3 + w);
  std::optional<HostArray> found = read(value, reordered(value, swapped), {1, 1, 3, 3}, "d0 d1 d2 d3");
  REQUIRE(found);
  CHECK_FALSE(isClose(compare(*found, value), 1e-4));
  found = read(value, reordered(value, swapped), {1, 3, 3, 1}, "d0 d2 d3 d1");
  REQUIRE(found);
  CHECK_FALSE(isClose(compare(*found, value), 1e-4));
}

TEST_CASE("what cannot be the value is not compared, and says why") {
  HostArray value = numbers({2, 3});
  CHECK(!read(value, std::string(28, 0), {7}, "d0 d1"));
  CHECK(!read(value, std::string(12, 0), {1, 3}, "d0 d1")); // a part
  CHECK(!read(value, value.bytes, {2, 3}, "?"));
  CHECK(!read(value, value.bytes, {3, 2}, "d0 d1")); // its dims cut across: another layout than stated
  CHECK(!read(value, value.bytes, {2, 3}, "d0 d1", "f16"));
}
