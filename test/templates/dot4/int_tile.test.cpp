// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of a tile's sums: storeEach to bytes and to int32, where a rest shares lanes and where results lie over
// what they are made of.
#include "templates/dot4/int_tile.h"
#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sinter;

namespace {

/// Sums of `n` columns, of which what lies in `out` is a part, as of a residual that is added in place.
template <class TC, class N>
void checkStores(N n, bool narrows) {
  std::vector<int32_t> sums;
  std::vector<TC> out, want;
  for (int64_t j = 0; j < n; ++j) {
    sums.push_back(int32_t((j * 37 + 11) % 200 - 100));
    out.push_back(TC(j % 7 - 3));
    want.push_back(TC(sums.back() + j % 5 + out.back()));
  }
  out.push_back(TC(99)); // behind the last
  want.push_back(TC(99));
  const std::vector<int32_t> five = {0, 1, 2, 3, 4};
  storeEach<Vec<int32_t, kLanes<int32_t>>>(sums.data(), n, out.data(), [&](auto v, int64_t j) {
    using V = decltype(v);
    V column{};
    for (int i = 0; i < kLanesOf<V>; ++i) {
      if constexpr (kLanesOf<V> == 1)
        column = five[size_t(j % 5)];
      else
        column[i] = five[size_t((j + i) % 5)];
    }
    return add(add(v, column), load<V>(out.data() + j));
  });
  INFO("columns " << int64_t(n) << " bytes " << sizeof(TC) << (narrows ? " known" : ""));
  for (size_t j = 0; j < want.size(); ++j)
    REQUIRE(int32_t(out[j]) == int32_t(want[j]));
}

} // namespace

TEST_CASE("sums are stored as what their elements hold") {
  for (int64_t n = 1; n < 70; ++n) {
    checkStores<int8_t>(n, false);
    checkStores<uint8_t>(n, false);
    checkStores<int32_t>(n, false);
  }
  checkStores<int8_t>(Fixed<3>{}, true);
  checkStores<int8_t>(Fixed<16>{}, true);
  checkStores<int8_t>(Fixed<24>{}, true);
  checkStores<int8_t>(Fixed<27>{}, true);
  checkStores<uint8_t>(Fixed<64>{}, true);
}
