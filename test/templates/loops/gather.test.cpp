// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gather.h: each lane is the element that its offset names, of floats and of half types; at equal distances.
#include "templates/loops/gather.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

template <class T, int kCount>
void checkGather() {
  using V = Vec<T, kCount>;
  using Offsets = Vec<int64_t, kCount>;
  T elements[64];
  for (int i = 0; i < 64; ++i)
    elements[i] = T(3 * i - 50);
  int64_t places[16];
  for (int i = 0; i < 16; ++i)
    places[i] = (i * 23 + 7) % 64 - 16;
  const V v = gather<V>(&elements[16], load<Offsets>(&places[0]));
  T lanes[kCount];
  store(&lanes[0], v);
  for (int i = 0; i < kCount; ++i)
    CHECK(lanes[i] == elements[16 + places[i]]);

  for (int64_t step = 0; step < 4; ++step) {
    store(&lanes[0], loadApart<V>(&elements[5], step));
    for (int i = 0; i < kCount; ++i)
      CHECK(lanes[i] == elements[5 + step * i]);
  }

  store(&lanes[0], loadEven<V>(&elements[5]));
  for (int i = 0; i < kCount; ++i)
    CHECK(lanes[i] == elements[5 + 2 * i]);
}

} // namespace

TEST_CASE("elements that lie apart") {
  constexpr int lanes = kLanes<int64_t>; // offsets fill a register
  checkGather<float, 1>();
  checkGather<float, lanes>();
  checkGather<int32_t, lanes>();
  checkGather<int8_t, lanes>();
  checkGather<double, lanes>();
  checkGather<int64_t, lanes>();
  // Integers that go as floats, and in pairs.
  constexpr int eight = lanes > 1 ? 8 : 1, many = lanes > 1 ? 16 : 1;
  checkGather<int32_t, eight>();
  checkGather<uint32_t, many>();
  checkGather<int16_t, eight>();
  checkGather<uint16_t, many>();
  checkGather<int8_t, eight>();
}

TEST_CASE("half types become floats") {
  constexpr int lanes = kLanes<int64_t>;
  f16 elements[8];
  int64_t places[lanes];
  for (int i = 0; i < 8; ++i)
    elements[i] = convert<f16>(float(i) - 2.5f);
  for (int i = 0; i < lanes; ++i)
    places[i] = i * 5 % 8;
  float found[lanes];
  store(&found[0], gather<Vec<float, lanes>>(&elements[0], load<Vec<int64_t, lanes>>(&places[0])));
  for (int i = 0; i < lanes; ++i)
    CHECK(found[i] == float(places[i]) - 2.5f);
  constexpr int eight = lanes > 1 ? 8 : 1;
  f16 apart[24];
  for (int i = 0; i < 24; ++i)
    apart[i] = convert<f16>(float(i) - 2.5f);
  float each[eight];
  store(&each[0], loadApart<Vec<float, eight>>(&apart[1], 3));
  for (int i = 0; i < eight; ++i)
    CHECK(each[i] == float(1 + 3 * i) - 2.5f);
}
