// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// convert_x86.h through convert.h: integers of other widths keep their low bits, and of floats the larger and the
// smaller are those of the comparison, by every number of lanes.
#include "runtime-lite/vec.h"
#include "ulp.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinter;

namespace {

/// Whether so many lanes are one register at most.
template <class V>
constexpr bool kFits = sizeof(V) <= SINTER_VECTOR_BYTES;

template <class To, class From, int kLaneCount>
void checkWidths() {
  if constexpr (kFits<Vec<To, kLaneCount>> && kFits<Vec<From, kLaneCount>>) {
    From in[kLaneCount];
    To out[kLaneCount];
    test::Random random(kLaneCount);
    for (int round = 0; round < 20; ++round) {
      for (From &x : in)
        x = From(uint64_t(random.bits()) << 32 | random.bits());
      store(&out[0], convert<Vec<To, kLaneCount>>(load<Vec<From, kLaneCount>>(&in[0])));
      for (int i = 0; i < kLaneCount; ++i)
        REQUIRE(out[i] == To(in[i]));
    }
  }
}

template <class To, class From>
void checkLanes() {
  checkWidths<To, From, 2>();
  checkWidths<To, From, 4>();
  checkWidths<To, From, 8>();
  checkWidths<To, From, 16>();
  checkWidths<To, From, 32>();
}

template <class F, int kLaneCount>
void checkLimits() {
  if constexpr (kFits<Vec<F, kLaneCount>>) {
    const F some[] = {F(1), F(-2), F(0), F(-0.0), F(NAN), F(INFINITY), F(-INFINITY), F(1e-40)};
    for (const F left : some)
      for (const F right : some) {
        using V = Vec<F, kLaneCount>;
        const V larger = firstIfLarger(splat<V>(left), splat<V>(right)),
                smaller = firstIfSmaller(splat<V>(left), splat<V>(right));
        for (int i = 0; i < kLaneCount; ++i) {
          REQUIRE(bitCast<SignedOf<F>>(F(larger[i])) == bitCast<SignedOf<F>>(left > right ? left : right));
          REQUIRE(bitCast<SignedOf<F>>(F(smaller[i])) == bitCast<SignedOf<F>>(left < right ? left : right));
        }
      }
  }
}

} // namespace

TEST_CASE_TEMPLATE("integers of other widths keep their low bits", From, int8_t, int16_t, int32_t, int64_t, uint8_t,
                   uint16_t, uint32_t, uint64_t) {
  checkLanes<int8_t, From>();
  checkLanes<int16_t, From>();
  checkLanes<int32_t, From>();
  checkLanes<int64_t, From>();
  checkLanes<uint8_t, From>();
  checkLanes<uint16_t, From>();
  checkLanes<uint32_t, From>();
  checkLanes<uint64_t, From>();
}

TEST_CASE("the larger of two floats is the second where neither is: of NaN and of zeros") {
  checkLimits<float, 4>();
  checkLimits<float, 8>();
  checkLimits<float, 16>();
  checkLimits<double, 2>();
  checkLimits<double, 4>();
  checkLimits<double, 8>();
}
