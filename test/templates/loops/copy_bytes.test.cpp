// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// copy_bytes.h: as many bytes as are asked for and no more, of sizes that are known and that are not.
#include "templates/loops/copy_bytes.h"

#include "runtime-lite/index.h"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace sinter;

namespace {

template <int64_t kBytes>
void checkCopy() {
  CAPTURE(kBytes);
  uint8_t from[kBytes + 3], to[kBytes + 3] = {}, other[kBytes + 3] = {};
  for (int64_t i = 0; i < kBytes + 3; ++i)
    from[i] = uint8_t(i * 7 + i / 256 + 1);
  volatile size_t unknown = size_t(kBytes);
  copyBytes(to + 1, from + 2, size_t(kBytes));
  copyBytes(other + 1, from + 2, unknown);
  for (uint8_t *each : {to, other}) {
    CHECK(each[0] == 0);
    for (int64_t i = 0; i < kBytes; ++i)
      REQUIRE(each[1 + i] == from[2 + i]);
    CHECK(each[kBytes + 1] == 0);
  }
}

} // namespace

TEST_CASE("copies of bytes") {
  checkCopy<1>();
  checkCopy<40>();
  checkCopy<255>();
  checkCopy<256>();
  checkCopy<257>();
  checkCopy<264>();
  checkCopy<320>();
  checkCopy<383>();
  checkCopy<448>();
  checkCopy<500>();
  checkCopy<1000>();
  checkCopy<8192>();
  checkCopy<8200>();
}
