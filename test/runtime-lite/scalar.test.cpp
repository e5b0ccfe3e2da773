// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scalar.h: integer arithmetic has its stated result for all pairs of 8-bit values and for the corners of wider ones,
// in vectors as one by one.
#include "runtime-lite/scalar.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace sinter;

namespace {

__extension__ typedef __int128 Wide;

template <class I>
I wrap(Wide x) {
  return static_cast<I>(x);
}
Wide floorOf(Wide a, Wide b) { return a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0); }

template <class I>
std::vector<I> corners() {
  std::vector<I> v;
  if (sizeof(I) == 1) {
    for (int i = 0; i < 256; ++i)
      v.push_back(I(i));
    return v;
  }
  using L = std::numeric_limits<I>;
  for (int i = -70; i < 70; ++i)
    v.push_back(I(i));
  for (I i = 0; i < 10; ++i) {
    v.push_back(I(L::max() - i));
    v.push_back(I(L::min() + i));
    v.push_back(I(L::max() / (i + 1)));
  }
  return v;
}

/// Applies op to all pairs, in vectors and one by one, and compares with reference.
template <class I, class Op, class Ref>
void checkPairs(Op op, Ref reference) {
  constexpr int n = kLanes<I>;
  using V = Vec<I, n>;
  std::vector<I> values = corners<I>();
  while (values.size() % size_t(n))
    values.push_back(I(3));
  for (I a : values)
    for (size_t i = 0; i < values.size(); i += size_t(n)) {
      I out[n];
      store(&out[0], V(op(splat<V>(a), load<V>(&values[i]))));
      for (int k = 0; k < n; ++k) {
        const I b = values[i + size_t(k)];
        const I expected = reference(a, b);
        if (out[k] == expected && I(op(a, b)) == expected)
          continue;
        CAPTURE(int64_t(a));
        CAPTURE(int64_t(b));
        CHECK(out[k] == expected);
        REQUIRE(I(op(a, b)) == expected);
      }
    }
}

} // namespace

TEST_CASE_TEMPLATE("integers", I, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t) {
  constexpr int width = int(sizeof(I) * 8);
  checkPairs<I>([](auto a, auto b) { return sinter::add(a, b); }, [](I a, I b) { return wrap<I>(Wide(a) + b); });
  checkPairs<I>([](auto a, auto b) { return sinter::sub(a, b); }, [](I a, I b) { return wrap<I>(Wide(a) - b); });
  checkPairs<I>([](auto a, auto b) { return sinter::mul(a, b); }, [](I a, I b) { return wrap<I>(Wide(a) * b); });
  checkPairs<I>([](auto a, auto b) { return sinter::div(a, b); },
                [](I a, I b) { return b == 0 ? I(0) : wrap<I>(Wide(a) / b); });
  checkPairs<I>([](auto a, auto b) { return sinter::rem(a, b); },
                [](I a, I b) { return b == 0 ? I(0) : wrap<I>(Wide(a) % b); });
  checkPairs<I>([](auto a, auto b) { return sinter::floorDiv(a, b); },
                [](I a, I b) { return b == 0 ? I(0) : wrap<I>(floorOf(a, b)); });
  checkPairs<I>([](auto a, auto b) { return sinter::ceilDiv(a, b); },
                [](I a, I b) { return b == 0 ? I(0) : wrap<I>(-floorOf(-Wide(a), b)); });
  checkPairs<I>([](auto a, auto b) { return sinter::mod(a, b); },
                [](I a, I b) { return b == 0 ? I(0) : wrap<I>(Wide(a) - floorOf(a, b) * b); });
  checkPairs<I>([](auto a, auto b) { return sinter::shiftLeft(a, b); },
                [](I a, I b) { return b < 0 || Wide(b) >= width ? I(0) : wrap<I>(Wide(a) << int(b)); });
  checkPairs<I>([](auto a, auto b) { return sinter::shiftRight(a, b); },
                [](I a, I b) { return b < 0 || Wide(b) >= width ? I(0) : wrap<I>(Wide(a) >> int(b)); });
  checkPairs<I>([](auto a, auto b) { return sinter::max(a, sinter::min(b, a)); }, [](I a, I) { return a; });
  checkPairs<I>([](auto a, auto) { return sinter::abs(a); },
                [](I a, I) { return wrap<I>(Wide(a) < 0 ? -Wide(a) : Wide(a)); });
  checkPairs<I>([](auto a, auto b) { return sinter::popCount(decltype(a)(a ^ b)); },
                [](I a, I b) { return I(__builtin_popcountll(uint64_t(I(a ^ b)) & (~uint64_t(0) >> (64 - width)))); });
  checkPairs<I>([](auto a, auto) { return sinter::leadingZeros(a); },
                [](I a, I) { return I(a == 0 ? width : __builtin_clzll(uint64_t(a) << (64 - width))); });
  checkPairs<I>([](auto a, auto) { return sinter::trailingZeros(a); },
                [](I a, I) { return I(a == 0 ? width : __builtin_ctzll(uint64_t(a))); });
}

TEST_CASE("integer powers wrap, negative exponents truncate") {
  CHECK(powInt(3, 4) == 81);
  CHECK(powInt(int32_t(2), int32_t(31)) == std::numeric_limits<int32_t>::min());
  CHECK(powInt(int64_t(-3), int64_t(3)) == -27);
  CHECK(powInt(int32_t(2), int32_t(-1)) == 0);
  CHECK(powInt(int32_t(-1), int32_t(-3)) == -1);
  CHECK(powInt(int32_t(0), int32_t(0)) == 1);
  CHECK(powInt(uint8_t(17), uint8_t(2)) == uint8_t(289));
}
