// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures errors in units in the last place, over floats taken evenly from all bit patterns; and random test data.
#pragma once

#include "runtime-lite/vec.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace sinter::test {

/// A small generator of its own, so that every compiler's library sees the same data.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 1) {}
  uint32_t bits() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return uint32_t(state >> 32);
  }
  /// Uniform in low..high.
  float uniform(float low = -1.0f, float high = 1.0f) { return low + (high - low) * float(bits() >> 8) * 0x1p-24f; }
  float anyFloat() {
    const uint32_t b = bits();
    float f;
    std::memcpy(&f, &b, 4);
    return f;
  }
  int below(int n) { return int(bits() % uint32_t(n)); }
  std::vector<float> vector(size_t n, float low = -1.0f, float high = 1.0f) {
    std::vector<float> v(n);
    for (float &x : v)
      x = uniform(low, high);
    return v;
  }

private:
  uint64_t state;
};

inline bool sameFloat(float a, float b) { return a == b ? std::signbit(a) == std::signbit(b) : a != a && b != b; }

struct Worst {
  double ulp = 0;
  double at = 0, got = 0, expected = 0;
  bool lanesAgree = true;
};

/// How far got is from the exact result, in units of the float there.
inline double ulpError(float got, double exact) {
  const float nearest = float(exact);
  if (sameFloat(got, nearest))
    return std::isfinite(nearest) ? std::fabs(double(got) - exact) /
                                        std::max(std::ldexp(1.0, std::ilogb(exact == 0 ? 1.0 : exact) - 23), 0x1p-149)
                                  : 0;
  if (got != got || nearest != nearest)
    return std::numeric_limits<double>::infinity();
  if (got == 0 && nearest == 0)
    return 0;
  const double clipped = std::fabs(exact) > 0x1p128 ? std::copysign(0x1p128, exact) : exact;
  const double value = std::isinf(got) ? std::copysign(0x1p128, double(got)) : double(got);
  const int e = std::max(clipped == 0 ? -126 : std::min(std::ilogb(clipped), 127), -126);
  return std::fabs(value - clipped) / std::ldexp(1.0, e - 23);
}

template <class F, class R>
Worst worstUlp(F f, R reference, double low = -INFINITY, double high = INFINITY) {
  constexpr int lanes = kLanes<float>;
  using V = Vec<float, lanes>;
  Worst worst;
  float in[lanes], out[lanes];
  int filled = 0;
  for (uint64_t b = 12345; b < 0x100000000u; b += 39989) {
    const uint32_t bits = uint32_t(b);
    float x;
    std::memcpy(&x, &bits, 4);
    if (!(x >= low && x <= high))
      continue;
    in[filled++] = x;
    if (filled < lanes)
      continue;
    filled = 0;
    store(&out[0], f(load<V>(&in[0])));
    for (int i = 0; i < lanes; ++i) {
      const double expected = reference(double(in[i]));
      const double ulp = ulpError(out[i], expected);
      worst.lanesAgree = worst.lanesAgree && sameFloat(f(in[i]), out[i]);
      if (ulp > worst.ulp)
        worst.ulp = ulp, worst.at = in[i], worst.got = out[i], worst.expected = expected;
    }
  }
  return worst;
}

/// Against long double, which must be wider than double to say anything: elsewhere one more ULP is forgiven.
template <class F, class R>
Worst worstUlpDouble(F f, R reference) {
  Worst worst;
  Random random(3);
  for (int i = 0; i < 40000; ++i) {
    const double x =
        std::ldexp(double(random.uniform()) * (1 + double(random.uniform()) * 0x1p-24), random.below(40) - 29);
    const long double expected = reference(static_cast<long double>(x));
    const double got = f(x);
    if (expected != expected || got != got || std::isinf(double(expected)) || std::fabs(double(expected)) < 0x1p-1000) {
      const double e = double(expected);
      if (!(std::fabs(got - e) <= 0x1p-1000) && got != e && !(got != got && e != e))
        worst.ulp = INFINITY, worst.at = x;
      continue;
    }
    const double unit = std::ldexp(1.0, std::ilogb(double(expected)) - 52);
    const double slack = std::numeric_limits<long double>::digits > 53 ? 0 : 1;
    const double ulp = double(std::fabs(static_cast<long double>(got) - expected)) / unit - slack;
    if (ulp > worst.ulp)
      worst.ulp = ulp, worst.at = x;
  }
  return worst;
}

} // namespace sinter::test
