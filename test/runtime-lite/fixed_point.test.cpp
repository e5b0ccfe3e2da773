// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fixed_point.h: the product of 64 bits and the one of 16-bit parts have the stated result at every edge, one by one
// and in vectors, and differ from the float definition only as far as the header says.
#include "runtime-lite/fixed_point.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace sinter;

namespace {

__extension__ typedef __int128 Wide;

/// floor((x m + 2^(s - 1)) / 2^s), by its definition.
int32_t expected(int32_t x, int32_t m, int32_t s) {
  const Wide whole = Wide(1) << s, sum = Wide(x) * m + (whole >> 1);
  return int32_t(sum >= 0 ? sum / whole : -((-sum + whole - 1) / whole));
}

std::vector<int32_t> edges(int32_t m, int32_t s) {
  std::vector<int32_t> xs;
  using L = std::numeric_limits<int32_t>;
  for (int32_t i = 0; i < 40; ++i) {
    xs.insert(xs.end(), {i, -i, L::max() - i, L::min() + i, 0xffff - 20 + i, -0x10000 - 20 + i});
    for (int bit = 6; bit < 31; ++bit)
      xs.insert(xs.end(), {(int32_t(1) << bit) - 20 + i, -(int32_t(1) << bit) - 20 + i});
  }
  // Around every half that a small result can round at.
  for (int64_t step = -600; step < 600; ++step)
    for (int64_t d = -2; d <= 2; ++d) {
      const double x = std::floor((double(step) + 0.5) * std::ldexp(1.0, s) / (m ? m : 1)) + double(d);
      if (std::abs(x) <= 2147483647.0)
        xs.push_back(int32_t(x));
    }
  return xs;
}

struct Factor {
  int32_t m, s;
};
/// From near a quarter, the largest, to what makes every 32-bit number 0; with few bits and with all.
std::vector<Factor> factors() {
  std::vector<Factor> all;
  for (int32_t s : {33, 34, 38, 40, 41, 47, 48, 55, 61, 62})
    for (int32_t m : {0, 1, 2, 3, 0x7fff, 0x8000, 0xffff, 0x10000, 0x10001, 0x3fffffff, 0x40000000, 0x40000001,
                      0x5a827999, 0x7fff8000, 0x7fffffff})
      all.push_back({m, s});
  return all;
}

} // namespace

TEST_CASE("rescale is the exact product rounded half up, in both forms and in vectors") {
  constexpr int n = 4;
  using V = Vec<int32_t, n>;
  int64_t wrong = 0;
  for (auto [m, s] : factors()) {
    std::vector<int32_t> xs = edges(m, s);
    while (xs.size() % size_t(n))
      xs.push_back(7);
    for (size_t i = 0; i < xs.size(); i += size_t(n)) {
      int32_t lanes[n];
      store(&lanes[0], rescale(load<V>(&xs[i]), m, s));
      for (size_t k = 0; k < size_t(n); ++k) {
        const int32_t x = xs[i + k], y = expected(x, m, s);
        wrong += lanes[k] != y || rescaleSplit(x, m, s) != y || rescaleLong(x, m, s) != y || rescale(x, m, s) != y;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("rescale and the float definition differ by one step, near halves only") {
  int64_t wrong = 0, different = 0, all = 0;
  for (float f : {0.2499999f, 0.124f, 0.0137f, 1.f / 256, 0.00390624f, 7.3e-4f, 1.5e-7f}) {
    int exponent;
    const double mantissa = std::frexp(double(f), &exponent); // 24 bits, so m is exact
    const int32_t m = int32_t(std::ldexp(mantissa, 31)), s = 31 - exponent;
    REQUIRE(double(m) == std::ldexp(mantissa, 31));
    for (int32_t x : edges(m, s)) {
      const double p = double(x) * double(f);
      if (std::abs(p) >= 512)
        continue;
      const double defined = std::nearbyint(double(float(x) * f)), got = rescale(x, m, s);
      const double toHalf = std::abs(p - std::floor(p) - 0.5);
      wrong += std::abs(defined - got) > 1 || (defined != got && toHalf > std::abs(p) * std::ldexp(1.0, -23));
      different += defined != got;
      ++all;
    }
  }
  CHECK(wrong == 0);
  CHECK(different > 0); // the edges reach the halves
  CHECK(different * 5 < all);
}

TEST_CASE("sums become bytes by one shift and limits") {
  for (int32_t s : {1, 8, 17, 22, 24, 31})
    for (int64_t x = -(int64_t(1) << 31); x < int64_t(1) << 31; x += 1234577) {
      const int64_t down = x >> s;
      CHECK(shiftToInt8(int32_t(x), s) == (down < -128 ? -128 : down > 127 ? 127 : down));
      CHECK(shiftToUint8(int32_t(x), s) == (down < 0 ? 0 : down > 255 ? 255 : down));
    }
  const Vec<int32_t, 4> x = {-2147483647 - 1, -1, 127 << 8, 2147483647};
  const auto bytes = shiftToInt8(x, splat<Vec<int32_t, 4>>(8));
  CHECK(bytes[0] == -128);
  CHECK(bytes[1] == -1);
  CHECK(bytes[2] == 127);
  CHECK(bytes[3] == 127);
}
