// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// look_up_bytes.h: every byte in every lane, of all widths that loops have.
#include "templates/maps/look_up_bytes.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

template <int kCount>
void checkLanes(const int8_t *table) {
  if constexpr (kCount <= kLanes<int8_t>) {
    int8_t bytes[kCount], results[kCount];
    for (int first = 0; first < 256; ++first) {
      for (int i = 0; i < kCount; ++i)
        bytes[i] = int8_t(first + 37 * i);
      store(&results[0], lookUpBytes(table, load<Vec<int8_t, kCount>>(&bytes[0])));
      for (int i = 0; i < kCount; ++i)
        CHECK(results[i] == table[uint8_t(first + 37 * i)]);
    }
  }
}

} // namespace

TEST_CASE("bytes of a table") {
  int8_t table[256];
  for (int i = 0; i < 256; ++i)
    table[i] = int8_t(i * 167 + i / 16 * 5);
  checkLanes<1>(table);
  checkLanes<4>(table);
  checkLanes<8>(table);
  checkLanes<16>(table);
  checkLanes<32>(table);
  checkLanes<64>(table);
}
