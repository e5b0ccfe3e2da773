// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles by widened panels make the sums that tiles by bytes make; which panels are widened.
#include "templates/dot4/panel_words.h"
#include "templates/dot4/int_tile.h"
#include <doctest/doctest.h>

#include <vector>

using namespace sinter;

namespace {

/// Two runs of `length` bytes for each of R rows, by two vectors of columns.
template <class X, int R>
void checkTile([[maybe_unused]] int64_t length) {
  if constexpr (kMultipliesPairs) {
    using V = Vec<int32_t, kLanes<int32_t>>;
    constexpr int columns = 2 * kLanesOf<V>, stride = 64;
    const ByteRuns<int64_t, int64_t, int64_t, int64_t, int64_t> runs = {2, 1, length, 32, 0};
    const int64_t bytes = panelBytes<X, columns>(runs.perColumn(4));
    std::vector<uint8_t> a(size_t(R * stride));
    for (size_t i = 0; i < a.size(); ++i)
      a[i] = uint8_t(i % 3 == 0 ? 255 - i : i * 83);
    std::vector<int8_t> panel(static_cast<size_t>(bytes));
    for (size_t i = 0; i < panel.size(); ++i)
      panel[i] = int8_t(i % 5 == 0 ? -128 : i % 5 == 1 ? 127 : int(i * 29 % 255) - 127);
    std::vector<V> words(size_t(2 * bytes) / sizeof(V));
    widenPanel<columns>(panel.data(), bytes, words.data());
    V want[R * 2], got[R * 2];
    dotTile<R, 2, 1, X>(a.data(), int64_t(stride), runs, panel.data(), bytes, &want[0]);
    dotTile<R, 2, 1, ByWords<X>>(a.data(), int64_t(stride), runs, reinterpret_cast<const int8_t *>(words.data()),
                                 2 * bytes, &got[0]);
    INFO("length " << length << " rows " << R);
    for (size_t i = 0; i < size_t(R * 2); ++i)
      for (int j = 0; j < kLanesOf<V>; ++j)
        REQUIRE(reinterpret_cast<const int32_t *>(&got[i])[j] == reinterpret_cast<const int32_t *>(&want[i])[j]);
  }
}

} // namespace

TEST_CASE("tiles by words make the sums of tiles by bytes") {
  for (int64_t length = 1; length <= 20; ++length) {
    checkTile<UnsignedBytes, 1>(length);
    checkTile<UnsignedBytes, 3>(length);
    checkTile<SignedBytes, 2>(length);
    checkTile<FlippedToUnsigned, 2>(length);
    checkTile<FlippedToSigned, 3>(length);
  }
}

TEST_CASE("panels are widened for several tiles, where there is room") {
  CHECK(widensPanels<UnsignedBytes>(kMostWordBytes / 2, 4) == kMultipliesPairs);
  CHECK(!widensPanels<UnsignedBytes>(kMostWordBytes / 2 + 1, 4));
  CHECK(!widensPanels<UnsignedBytes>(64, 3));
  CHECK(!widensPanels<PairedBytes<1>>(64, 4));
}
