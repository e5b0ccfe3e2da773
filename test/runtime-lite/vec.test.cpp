// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vec.h, half.h, convert.h: vectors agree with scalars, half types with their definition, casts with ONNX's.
#include "templates/loops/map.h"
#include "ulp.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace sinter;
using test::Random;

namespace {

/// binary16 by its definition, in double.
double f16Value(uint16_t bits) {
  const int e = (bits >> 10) & 31, m = bits & 1023;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (e == 31)
    return m ? NAN : sign * INFINITY;
  return sign * (e ? std::ldexp(1024 + m, e - 25) : std::ldexp(m, -24));
}

/// The f16 nearest to x, by search.
uint16_t f16Nearest(float x) {
  const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  const double a = std::fabs(double(x));
  if (a >= 65520)
    return uint16_t(sign | 0x7c00);
  uint16_t low = 0, high = 0x7bff;
  while (low < high) {
    const auto mid = uint16_t((low + high + 1) / 2);
    if (f16Value(mid) <= a)
      low = mid;
    else
      high = uint16_t(mid - 1);
  }
  const double below = a - f16Value(low), above = (low == 0x7bff ? 65536 : f16Value(uint16_t(low + 1))) - a;
  return uint16_t(sign | (below < above || (below == above && low % 2 == 0) ? low : low + 1));
}

} // namespace

TEST_CASE("f16 to float is exact for every value, by any number of lanes") {
  std::vector<f16> in(65536);
  std::vector<float> out(65536);
  for (size_t i = 0; i < in.size(); ++i)
    in[i].bits = uint16_t(i);
  map<float>(65536, [&](auto tag, int64_t i) {
    using V = typename decltype(tag)::Type;
    store(&out[size_t(i)], load<V>(&in[size_t(i)]));
  });
  std::vector<float> byFour(in.size()); // lanes of halves beside 64-bit numbers
  for (size_t i = 0; i < in.size(); i += 4)
    store(&byFour[i], load<Vec<float, 4>>(&in[i]));
  for (size_t i = 0; i < in.size(); ++i) {
    REQUIRE(test::sameFloat(out[i], float(f16Value(uint16_t(i)))));
    REQUIRE(test::sameFloat(byFour[i], out[i]));
    REQUIRE(test::sameFloat(convert<float>(in[i]), out[i]));
    REQUIRE(test::sameFloat(bitCast<float>(f16ToFloatBits(uint32_t(i))), out[i]));
  }
}

TEST_CASE("float to f16 rounds to nearest even") {
  std::vector<float> in;
  for (uint32_t i = 0; i < 0x7c00; ++i) { // each value, each midpoint, and their neighbours
    const auto a = float(f16Value(uint16_t(i)));
    const auto b = i == 0x7bff ? 65536.0f : float(f16Value(uint16_t(i + 1)));
    const float mid = (a + b) / 2;
    for (float x : {a, mid, std::nextafter(mid, 0.0f), std::nextafter(mid, 1e9f)}) {
      in.push_back(x);
      in.push_back(-x);
    }
  }
  Random random(1);
  for (int i = 0; i < 20000; ++i)
    if (const float x = random.anyFloat(); x == x)
      in.push_back(x);
  std::vector<f16> out(in.size());
  map<float>(int64_t(in.size()), [&](auto tag, int64_t i) {
    using V = typename decltype(tag)::Type;
    store(&out[size_t(i)], load<V>(&in[size_t(i)]));
  });
  for (size_t i = 0; i < in.size(); ++i) {
    CAPTURE(in[i]);
    REQUIRE(out[i].bits == f16Nearest(in[i]));
    REQUIRE(floatToF16Bits(bitCast<uint32_t>(in[i])) == out[i].bits);
    REQUIRE(convert<f16>(in[i]).bits == out[i].bits);
  }
  CHECK(std::isnan(f16Value(convert<f16>(NAN).bits)));
  CHECK(std::isnan(f16Value(uint16_t(floatToF16Bits(0x7f800001u)))));
}

TEST_CASE("bf16") {
  CHECK(convert<float>(bf16{0x3f80}) == 1.0f);
  CHECK(convert<bf16>(1.00390625f).bits == 0x3f80);   // a tie, to even
  CHECK(convert<bf16>(1.01171875f).bits == 0x3f82);   // a tie, to even
  CHECK(convert<bf16>(3.4028235e38f).bits == 0x7f80); // rounds to infinity
  CHECK((convert<bf16>(NAN).bits & 0x7fff) > 0x7f80);
  CHECK(std::isnan(convert<float>(bf16{uint16_t(floatToBf16Bits(0x7f800001u))})));
  float in[kLanes<float>] = {1.5f, -2.0f};
  bf16 out[kLanes<float>];
  store(&out[0], load<Vec<float, kLanes<float>>>(&in[0]));
  CHECK(out[0].bits == 0x3fc0);
}

TEST_CASE_TEMPLATE("floats to integers truncate, saturate, and take NaN to 0", I, int8_t, int16_t, int32_t, int64_t,
                   uint8_t, uint16_t, uint32_t, uint64_t) {
  using Limits = std::numeric_limits<I>;
  const auto check = [](auto zero) {
    using F = decltype(zero);
    std::vector<F> in = {F(0),
                         F(-0.0),
                         F(0.99),
                         F(-0.99),
                         F(1.5),
                         F(-1.5),
                         F(127.9),
                         F(-128.9),
                         F(255.9),
                         F(300),
                         F(-300),
                         F(32767.5),
                         F(65535.5),
                         F(1e6),
                         F(-1e6),
                         F(2147483520),
                         F(2147483648),
                         F(-2147483648.0),
                         F(4294967040),
                         F(4294967296),
                         F(9.2233715e18),
                         F(9.2233720368547758e18),
                         F(-9.2233720368547758e18),
                         F(1.8446742e19),
                         F(1e30),
                         F(-1e30),
                         F(INFINITY),
                         F(-INFINITY),
                         F(NAN),
                         F(1e-40)};
    while (in.size() % 16)
      in.push_back(F(7.7));
    std::vector<I> out(in.size());
    using Widest = std::conditional_t<(sizeof(F) > sizeof(I)), F, I>;
    map<Widest>(int64_t(in.size()), [&](auto tag, int64_t i) {
      using V = Like<typename decltype(tag)::Type, F>;
      store(&out[size_t(i)], load<V>(&in[size_t(i)]));
    });
    for (size_t i = 0; i < in.size(); ++i) {
      const F x = in[i];
      const long double t = std::trunc(static_cast<long double>(x));
      I expected = 0;
      if (x == x)
        expected = t >= static_cast<long double>(Limits::max())   ? Limits::max()
                   : t <= static_cast<long double>(Limits::min()) ? Limits::min()
                                                                  : I(t);
      CAPTURE(x);
      CHECK(out[i] == expected);
      CHECK(convert<I>(x) == expected);
    }
  };
  check(0.0f);
  check(0.0);
}

TEST_CASE("max and min keep NaN, clamp and relu too") {
  using V = Vec<float, kLanes<float>>;
  const float nan = NAN;
  CHECK(max(1.0f, 2.0f) == 2.0f);
  CHECK(std::isnan(max(nan, 2.0f)));
  CHECK(std::isnan(max(2.0f, nan)));
  CHECK(std::isnan(min(2.0f, nan)));
  CHECK(std::isnan(maxOf(max(splat<V>(2.0f), splat<V>(nan)))));
  CHECK(std::isnan(noLess(splat<V>(nan), V{})[0]));
  CHECK(std::isnan(noMore(nan, 1.0f)));
  CHECK(noLess(-2.0f, 1.0f) == 1.0f);
  CHECK(noMore(2.0f, 1.0f) == 1.0f);
  CHECK(std::isnan(clamp(nan, 0.0f, 1.0f)));
  CHECK(std::isnan(relu(nan)));
  CHECK(clamp(-3.0f, 0.0f, 6.0f) == 0.0f);
  CHECK(max(3, -4) == 3);
  CHECK(std::signbit(splat<Vec<float, 4>>(-0.0f)[3]));
}

TEST_CASE("reductions, partial loads and stores, masks") {
  using V = Vec<float, kLanes<float>>;
  constexpr int n = kLanesOf<V>;
  const V v = iota<V>(1.0f);
  CHECK(sum(v) == float(n * (n + 1) / 2));
  CHECK(maxOf(v) == float(n));
  CHECK(minOf(v) == 1.0f);
  float out[n + 1] = {};
  for (int k = 0; k <= n; ++k) {
    for (float &x : out)
      x = -1.0f;
    storeN(&out[0], v, k);
    for (int i = 0; i <= n; ++i)
      CHECK(out[i] == (i < k ? float(i + 1) : -1.0f));
    const V back = loadN<V>(&out[0], k);
    CHECK(sum(back) == float(k * (k + 1) / 2));
  }
  uint8_t bytes[n];
  storeMask(&bytes[0], v > splat<V>(1.0f));
  CHECK(bytes[0] == 0);
  if (n > 1)
    CHECK(bytes[n - 1] == 1);
  const V picked = select(loadMask<V>(&bytes[0]), v, V{});
  CHECK(sum(picked) == float(n * (n + 1) / 2 - 1));
  CHECK(sum(fromMask<V>(v > splat<V>(1.0f))) == float(n - 1));
}

TEST_CASE("fma rounds once where the target has it") {
  const float a = 1.0f + 0x1p-20f;
  const float exact = 0x1p-40f + 0x1p-19f;
  const float got = fma(a, a, -1.0f);
  CHECK(got == (kHasFma ? exact : 0x1p-19f));
  using V = Vec<float, kLanes<float>>;
  CHECK(maxOf(fma(splat<V>(a), splat<V>(a), splat<V>(-1.0f))) == got);
}

TEST_CASE("map covers each index once") {
  for (int64_t n : {0, 1, 2, 15, 16, 17, 63, 64, 65, 200}) {
    std::vector<int32_t> seen(size_t(n) + 1);
    mapRange<int32_t>(0, n, [&](auto tag, int64_t i) {
      using V = typename decltype(tag)::Type;
      store(&seen[size_t(i)], load<V>(&seen[size_t(i)]) + 1);
    });
    for (int64_t i = 0; i < n; ++i)
      REQUIRE(seen[size_t(i)] == 1);
    CHECK(seen[size_t(n)] == 0);
  }
}
