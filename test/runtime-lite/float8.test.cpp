// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// float8.h: every code of every type, and the float nearest to each, against a search over the type's numbers.
#include "runtime-lite/float8.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

/// The code nearest to x >= 0, ties to even, among the finite numbers and the one that would follow them.
template <class F>
int nearestCode(double x) {
  int best = 0;
  double distance = INFINITY;
  for (int code = 0; code <= F::greatest + 1; ++code) {
    const double step =
        double(smallToFloatLane<F>(uint8_t(F::greatest))) - double(smallToFloatLane<F>(uint8_t(F::greatest - 1)));
    const double value = code <= F::greatest ? double(smallToFloatLane<F>(uint8_t(code)))
                                             : double(smallToFloatLane<F>(uint8_t(F::greatest))) + step;
    const double d = std::fabs(value - x);
    if (d < distance || (d == distance && code % 2 == 0)) {
      best = code;
      distance = d;
    }
  }
  return best;
}

template <class F>
void check(float greatest, float least, bool infinite) {
  CHECK(smallToFloatLane<F>(uint8_t(F::greatest)) == greatest);
  CHECK(smallToFloatLane<F>(1) == least);
  for (int code = 0; code < 2 * F::sign; ++code) {
    const float value = smallToFloatLane<F>(uint8_t(code));
    if (value == value && std::isfinite(value)) {
      CAPTURE(code);
      CHECK(int(floatToSmallLane<F>(value, true)) == code);
      CHECK(int(floatToSmallLane<F>(value, false)) == code);
    }
  }
  test::Random random(5);
  for (int i = 0; i < 20000; ++i) {
    float x = i % 2
                  ? random.uniform(0.0f, 1.0f) * random.uniform(0.0f, 1.0f) * greatest * 1.1f
                  : smallToFloatLane<F>(uint8_t(random.below(F::greatest + 1))) + float(random.below(4)) * least * 0.5f;
    const int want = nearestCode<F>(double(x));
    CAPTURE(x);
    REQUIRE(int(floatToSmallLane<F>(x, true)) == std::min(want, F::greatest));
    if (F::end != SmallEnd::Numbers && want > F::greatest) {
      const float past = smallToFloatLane<F>(floatToSmallLane<F>(x, false));
      REQUIRE((infinite ? std::isinf(past) : past != past));
    }
  }
  CHECK(int(floatToSmallLane<F>(INFINITY, true)) == F::greatest);
  CHECK(int(floatToSmallLane<F>(-INFINITY, true)) == F::greatest + F::sign);
  CHECK(int(floatToSmallLane<F>(1e30f, true)) == F::greatest);
  CHECK(int(floatToSmallLane<F>(-0.0f, true)) == (F::end == SmallEnd::MinusZeroNan ? 0 : F::sign));
  if (F::end != SmallEnd::Numbers)
    CHECK(std::isnan(smallToFloatLane<F>(floatToSmallLane<F>(NAN, true))));
}

} // namespace

TEST_CASE("float 8 and float 4") {
  check<F8E4M3FN>(448.0f, 0x1p-9f, false);
  check<F8E4M3FNUZ>(240.0f, 0x1p-10f, false);
  check<F8E5M2>(57344.0f, 0x1p-16f, true);
  check<F8E5M2FNUZ>(57344.0f, 0x1p-17f, false);
  check<F4E2M1>(6.0f, 0.5f, false);
  CHECK(std::isinf(smallToFloatLane<F8E5M2>(0x7c)));
  CHECK(int(floatToSmallLane<F8E5M2>(-INFINITY, false)) == 0xfc);
  CHECK(int(floatToSmallLane<F8E4M3FN>(NAN, false)) == 0x7f);
}

TEST_CASE("float 8 in lanes") {
  using V = Vec<float, kLanes<float>>;
  CHECK(maxOf(smallToFloat<F8E4M3FN, V>(floatToSmall<F8E4M3FN>(splat<V>(3.2f), true))) == 3.25f);
}

TEST_CASE("E8M0") {
  CHECK(smallToFloatLane<F8E8M0>(127) == 1.0f);
  CHECK(smallToFloatLane<F8E8M0>(0) == 0x1p-127f);
  CHECK(std::isnan(smallToFloatLane<F8E8M0>(255)));
  for (int code = 0; code < 255; ++code)
    for (E8M0Round round : {E8M0Round::Up, E8M0Round::Down, E8M0Round::Nearest})
      CHECK(int(floatToE8M0(smallToFloatLane<F8E8M0>(uint8_t(code)), false, round)) == code);
  CHECK(floatToE8M0(1.25f, true, E8M0Round::Up) == 128);
  CHECK(floatToE8M0(1.75f, true, E8M0Round::Down) == 127);
  CHECK(floatToE8M0(1.25f, true, E8M0Round::Nearest) == 127);
  CHECK(floatToE8M0(1.5f, true, E8M0Round::Nearest) == 128);
  CHECK(floatToE8M0(0.0f, true, E8M0Round::Up) == 0);
  CHECK(floatToE8M0(0.0f, false, E8M0Round::Nearest) == 255);
  CHECK(floatToE8M0(INFINITY, true, E8M0Round::Up) == 254);
  CHECK(floatToE8M0(0x1p-140f, true, E8M0Round::Up) == 0);
  CHECK(floatToE8M0(0x1p-140f, false, E8M0Round::Up) == 255);
}
