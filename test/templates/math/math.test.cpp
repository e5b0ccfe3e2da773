// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function of templates/math_*.h against libm in double: floats sampled densely over all exponents, in vectors
// and one by one. A bound here is the bound that the header states.
#include "templates/math/math.h"
#include "ulp.h"

#include <cmath>

#include <doctest/doctest.h>

using namespace sinter::test;

#define ULP_TEST_IN(name, bound, low, high, reference)                                                                 \
  TEST_CASE("math " #name " within " #bound " ULP") {                                                                  \
    const Worst w =                                                                                                    \
        worstUlp([](auto x) { return sinter::name(x); }, [](double x) -> double { return reference; }, low, high);     \
    INFO("worst " << w.ulp << " at " << w.at << ": " << w.got << " for " << w.expected);                               \
    CHECK(w.ulp <= bound);                                                                                             \
    CHECK(w.lanesAgree);                                                                                               \
  }
#define ULP_TEST(name, bound, reference) ULP_TEST_IN(name, bound, -INFINITY, INFINITY, reference)

ULP_TEST(exp, 1.1, std::exp(x))
ULP_TEST_IN(expNegative, 1.1, -87.2, 88.0, std::exp(x))
ULP_TEST(exp2, 1.1, std::exp2(x))
ULP_TEST(expm1, 3.0, std::expm1(x))
ULP_TEST_IN(sigmoid, 2.5, -87.0, INFINITY, 1 / (1 + std::exp(-x)))
ULP_TEST_IN(silu, 2.5, -87.0, INFINITY, x / (1 + std::exp(-x)))
ULP_TEST_IN(geluTanh, 3.0, 0.0, INFINITY, x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))))
ULP_TEST(tanh, 3.0, std::tanh(x))
ULP_TEST(log, 1.5, std::log(x))
ULP_TEST(log2, 3.0, std::log2(x))
ULP_TEST(log10, 3.0, std::log10(x))
ULP_TEST(log1p, 3.0, std::log1p(x))
ULP_TEST_IN(softplus, 4.0, -87.0, INFINITY, std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))))
ULP_TEST_IN(mish, 5.0, -87.0, INFINITY, x *std::tanh(std::log1p(std::exp(x))))
ULP_TEST(erf, 1.5, std::erf(x))
ULP_TEST_IN(gelu, 1.5, 0.0, INFINITY, x / 2 * std::erfc(-x * std::sqrt(0.5)))
ULP_TEST(sin, 1.5, std::sin(x))
ULP_TEST(cos, 1.5, std::cos(x))
ULP_TEST(tan, 3.5, std::tan(x))
ULP_TEST(atan, 2.5, std::atan(x))
ULP_TEST(asin, 2.5, std::asin(x))
ULP_TEST(acos, 2.5, std::acos(x))
ULP_TEST(sinh, 4.0, std::sinh(x))
ULP_TEST(cosh, 3.0, std::cosh(x))
ULP_TEST(asinh, 4.0, std::asinh(x))
ULP_TEST(acosh, 4.0, std::acosh(x))
ULP_TEST(atanh, 4.0, std::atanh(x))
ULP_TEST(cbrt, 1.0, std::cbrt(x))
ULP_TEST(sqrt, 0.5, std::sqrt(x))
ULP_TEST(rsqrt, 1.5, 1 / std::sqrt(x))
ULP_TEST(roundEven, 0.0, std::nearbyint(x))
ULP_TEST(floor, 0.0, std::floor(x))
ULP_TEST(ceil, 0.0, std::ceil(x))
ULP_TEST(trunc, 0.0, std::trunc(x))
ULP_TEST(round, 0.0, std::round(x))

namespace {
/// |function(x) - exact(x)| / |x| is at most `bound` over negative floats of all sizes.
template <class Function, class Exact>
void checkBelowZero(Function function, Exact exact, double bound) {
  constexpr int lanes = sinter::kLanes<float>;
  double worst = 0, at = 0;
  for (int i = 0; i < 400000; i += lanes) {
    float x[lanes], y[lanes];
    for (int j = 0; j < lanes; ++j)
      x[j] = -float(std::ldexp(1.0 + (i + j) % 1000 / 1000.0, (i + j) / 1000 / 4 - 90));
    sinter::store(&y[0], function(sinter::load<sinter::Vec<float, lanes>>(&x[0])));
    for (int j = 0; j < lanes; ++j) {
      const double error = std::fabs((double(y[j]) - exact(double(x[j]))) / double(x[j]));
      if (!(error <= worst))
        worst = error, at = double(x[j]);
    }
  }
  INFO("at " << at);
  CHECK(worst <= bound);
}
} // namespace

TEST_CASE("gelu and geluTanh below 0 within a part of their argument") {
  checkBelowZero([](auto x) { return sinter::gelu(x); },
                 [](double x) { return x / 2 * std::erfc(-x * std::sqrt(0.5)); }, 0x1p-24);
  checkBelowZero([](auto x) { return sinter::geluTanh(x); },
                 [](double x) {
                   const double y = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
                   return x / (1 + std::exp(-2 * y));
                 },
                 0x1p-23);
}

TEST_CASE("special values") {
  const float inf = INFINITY, nan = NAN;
  CHECK(sinter::exp(inf) == inf);
  CHECK(sinter::exp(-inf) == 0.0f);
  CHECK(std::isnan(sinter::exp(nan)));
  CHECK(sinter::expNegative(-inf) == 0.0f);
  CHECK(sinter::log(0.0f) == -inf);
  CHECK(sinter::log(-0.0f) == -inf);
  CHECK(sinter::log(inf) == inf);
  CHECK(std::isnan(sinter::log(-1.0f)));
  CHECK(std::isnan(sinter::log(nan)));
  CHECK(sinter::log1p(-1.0f) == -inf);
  CHECK(sinter::log1p(inf) == inf);
  CHECK(std::signbit(sinter::tanh(-0.0f)));
  CHECK(std::signbit(sinter::expm1(-0.0f)));
  CHECK(std::signbit(sinter::ceil(-0.25f)));
  CHECK(std::signbit(sinter::roundEven(-0.25f)));
  CHECK(sinter::tanh(inf) == 1.0f);
  CHECK(sinter::sigmoid(-inf) == 0.0f);
  CHECK(sinter::silu(inf) == inf);
  CHECK(sinter::silu(-1e30f) == 0.0f);
  CHECK(std::isnan(sinter::silu(nan)));
  CHECK(std::signbit(sinter::silu(-0.0f)));
  CHECK(sinter::geluTanh(-1e30f) == 0.0f);
  CHECK(sinter::geluTanh(1e30f) == 1e30f);
  CHECK(sinter::softplus(inf) == inf);
  CHECK(sinter::erf(-inf) == -1.0f);
  CHECK(std::isnan(sinter::erf(nan)));
  CHECK(sinter::gelu(inf) == inf);
  CHECK(std::fabs(sinter::gelu(-inf)) < 1e-29f);
  CHECK(sinter::gelu(-0.0f) == 0.0f); // of either sign, as that of Relu
  CHECK(std::isnan(sinter::gelu(nan)));
  CHECK(sinter::sign(-3.0f) == -1.0f);
  CHECK(std::isnan(sinter::sqrt(-1.0f)));
}

TEST_CASE("fmod is exact") {
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const float a = random.anyFloat(), b = random.anyFloat();
    CAPTURE(a);
    CAPTURE(b);
    REQUIRE(sameFloat(sinter::fmod(a, b), std::fmod(a, b)));
    const double c = double(a) * 1.000001, d = double(b) / 3;
    const double got = sinter::fmod(c, d), expected = std::fmod(c, d);
    REQUIRE((got == expected || (std::isnan(got) && std::isnan(expected))));
  }
}

TEST_CASE("fmod of doubles in lanes is exact") {
  Random random(9);
  constexpr int count = (sinter::kLanes<double>) < 2 ? 2 : sinter::kLanes<double>;
  using V = sinter::Vec<double, count>;
  const double special[] = {0.0, -0.0, 1.0, 3.0, -3.0, 0x1p-1074, 0x1p-1022, INFINITY, -INFINITY, NAN, 0x1p60, 0.1};
  for (int i = 0; i < 20000; ++i) {
    V x, y;
    for (int k = 0; k < sinter::kLanesOf<V>; ++k) {
      y[k] = i % 11 == 0 ? special[random.below(12)] : double(random.uniform(-9.0f, 9.0f)) / 3;
      // Others are near whole multiples, above and below, whose quotients are rounded to them.
      const double near = double(y[k]) * double(random.below(1 << 20));
      x[k] = i % 13 == 0  ? special[random.below(12)]
             : i % 3 == 0 ? std::nextafter(near, random.below(2) ? 0.0 : 1e300)
                          : double(random.uniform(-900.0f, 900.0f)) * 1.000001;
    }
    const V rests = sinter::fmod(x, y);
    for (int k = 0; k < sinter::kLanesOf<V>; ++k) {
      const double a = x[k], b = y[k], got = rests[k], want = std::fmod(a, b);
      CAPTURE(a);
      CAPTURE(b);
      REQUIRE((got == want || (std::isnan(got) && std::isnan(want))));
      REQUIRE((std::isnan(want) || std::signbit(got) == std::signbit(want)));
    }
  }
}

TEST_CASE("pow within 1 ULP, and its special cases") {
  Random random(11);
  for (int i = 0; i < 20000; ++i) {
    const float x = i % 3 ? random.anyFloat() : random.uniform(0.0f, 4.0f);
    const float y = i % 2 ? random.uniform(-20.0f, 20.0f) : float(random.below(40) - 20);
    CAPTURE(x);
    CAPTURE(y);
    REQUIRE(ulpError(sinter::pow(x, y), std::pow(double(x), double(y))) <= 1.0);
  }
  const float inf = INFINITY, nan = NAN;
  const float values[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 2.0f,  -2.0f,
                          3.0f, -3.0f, 1.5f, inf,   -inf, nan,   1e30f, -1e30f};
  for (float x : values)
    for (float y : values) {
      CAPTURE(x);
      CAPTURE(y);
      CHECK(sameFloat(sinter::pow(x, y), float(std::pow(double(x), double(y)))));
    }
}

namespace {
template <int kCount>
void checkLanes() {
  Random random(21);
  const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, 2.0f, -3.0f, 0.5f, 1e30f, 1e-40f, INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 4000; ++i) {
    sinter::Vec<float, kCount> x, y;
    for (int k = 0; k < kCount; ++k) {
      x[k] = i % 5 == 0 ? special[random.below(12)] : i % 3 ? random.anyFloat() : random.uniform(-4.0f, 4.0f);
      y[k] = i % 7 == 0 ? special[random.below(12)]
             : i % 2    ? random.uniform(-20.0f, 20.0f)
                        : float(random.below(9) - 4);
    }
    const auto powers = sinter::pow(x, y), rests = sinter::fmod(x, y);
    for (int k = 0; k < kCount; ++k) {
      const float a = x[k], b = y[k];
      CAPTURE(a);
      CAPTURE(b);
      REQUIRE(sameFloat(powers[k], sinter::pow(a, b)));
      REQUIRE(sameFloat(rests[k], std::fmod(a, b)));
    }
  }
}
} // namespace

TEST_CASE("pow and fmod of lanes have the bits of those of single numbers") {
  checkLanes<2>();
  checkLanes<4>();
  checkLanes<8>();
  checkLanes<16>();
}

TEST_CASE("whole powers") {
  CHECK(sinter::powWhole(-2.0f, int32_t(3)) == -8.0f);
  CHECK(sinter::powWhole(2.0, int64_t(-2)) == 0.25);
}

TEST_CASE("angles of all sizes in double") {
  Random random(12);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::ldexp(1.0 + double(random.uniform(0.0f, 1.0f)) + double(random.uniform()) * 0x1p-30,
                                random.below(1000) + 10);
    CAPTURE(x);
    REQUIRE(std::fabs(sinter::sin(x) - std::sin(x)) < 4e-16);
    REQUIRE(std::fabs(sinter::cos(-x) - std::cos(-x)) < 4e-16);
  }
}

#define DOUBLE_TEST(name, bound, reference)                                                                            \
  TEST_CASE("math " #name " of double within " #bound " ULP") {                                                        \
    const Worst w = worstUlpDouble([](double x) { return sinter::name(x); }, [](long double x) { return reference; }); \
    INFO("worst " << w.ulp << " at " << w.at);                                                                         \
    CHECK(w.ulp <= bound);                                                                                             \
  }

DOUBLE_TEST(exp, 1.0, std::exp(x))
DOUBLE_TEST(exp2, 1.0, std::exp2(x))
DOUBLE_TEST(expm1, 3.0, std::expm1(x))
DOUBLE_TEST(tanh, 4.0, std::tanh(x))
DOUBLE_TEST(log, 1.0, std::log(x))
DOUBLE_TEST(log1p, 3.0, std::log1p(x))
DOUBLE_TEST(erf, 12.0, std::erf(x))
DOUBLE_TEST(sin, 2.0, std::sin(x))
DOUBLE_TEST(cos, 2.0, std::cos(x))
DOUBLE_TEST(tan, 4.0, std::tan(x))
DOUBLE_TEST(atan, 4.0, std::atan(x))
DOUBLE_TEST(asin, 5.0, std::asin(x))
DOUBLE_TEST(acos, 5.0, std::acos(x))
DOUBLE_TEST(sinh, 6.0, std::sinh(x))
DOUBLE_TEST(cosh, 4.0, std::cosh(x))
DOUBLE_TEST(asinh, 6.0, std::asinh(x))
DOUBLE_TEST(atanh, 6.0, std::atanh(x))
DOUBLE_TEST(cbrt, 2.0, std::cbrt(x))

namespace {
template <int kLanes, class Function, class Exact>
void checkDoubleLanes(Function function, Exact exact) {
  using V = sinter::Vec<double, kLanes>;
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> x = {0.0, -0.0, 1.0, -1.0, -2.0, 1e-320, -1e-320, 1e-18, 1e308, -1e308, infinity, -infinity, nan};
  Random random(3);
  while (x.size() < 208)
    x.push_back(std::ldexp(double(random.uniform()), random.below(40) - 30));
  for (size_t i = 0; i < x.size(); i += kLanes) {
    const V lanes = function(sinter::load<V>(&x[i]));
    for (int k = 0; k < kLanes; ++k) {
      const double v = x[i + size_t(k)], single = function(v), want = exact(v);
      CAPTURE(v);
      REQUIRE((lanes[k] == single || (std::isnan(lanes[k]) && std::isnan(single))));
      REQUIRE((single == want || (std::isnan(single) && std::isnan(want)) ||
               std::fabs(single - want) <= 1e-15 * std::fabs(want)));
    }
  }
}
} // namespace

#define DOUBLE_LANES_TEST(name)                                                                                        \
  TEST_CASE("math " #name " of lanes of double has the bits of that of single numbers, for corners too") {             \
    const auto function = [](auto x) { return sinter::name(x); };                                                      \
    const auto exact = [](double x) { return std::name(x); };                                                          \
    checkDoubleLanes<2>(function, exact);                                                                              \
    checkDoubleLanes<4>(function, exact);                                                                              \
    checkDoubleLanes<8>(function, exact);                                                                              \
  }

DOUBLE_LANES_TEST(exp)
DOUBLE_LANES_TEST(exp2)
DOUBLE_LANES_TEST(expm1)
DOUBLE_LANES_TEST(tanh)
DOUBLE_LANES_TEST(log)
DOUBLE_LANES_TEST(log2)
DOUBLE_LANES_TEST(log1p)
DOUBLE_LANES_TEST(sin)
DOUBLE_LANES_TEST(cos)
DOUBLE_LANES_TEST(tan)
DOUBLE_LANES_TEST(asin)
DOUBLE_LANES_TEST(acos)
DOUBLE_LANES_TEST(atan)

namespace {
template <int kLanes>
bool roundsToNearest(float x) {
  using V = sinter::Vec<float, kLanes>;
  using I = sinter::Vec<int32_t, kLanes>;
  const I r = sinter::nearestInt<I>(sinter::splat<V>(x));
  for (int i = 0; i < kLanes; ++i)
    if (r[i] != int32_t(std::nearbyint(x)))
      return false;
  return true;
}
} // namespace

TEST_CASE("nearest integers, one by one and in vectors of each size") {
  for (const float nudge : {-1e-3f, 0.0f, 1e-3f})
    for (int quarter = -1100; quarter <= 1100; ++quarter) {
      const float x = float(quarter) / 4 + nudge;
      INFO(x);
      CHECK(sinter::nearestInt<int32_t>(x) == int32_t(std::nearbyint(x)));
      CHECK(roundsToNearest<4>(x));
      CHECK(roundsToNearest<8>(x));
      CHECK(roundsToNearest<16>(x));
    }
  for (const float x : {-0x1p22f, -0x1p21f - 0.5f, -0.0f, 0x1p21f + 0.5f, 0x1p22f}) {
    CHECK(sinter::nearestInt<int32_t>(x) == int32_t(std::nearbyint(x)));
    CHECK(roundsToNearest<4>(x));
    CHECK(roundsToNearest<16>(x));
  }
}
