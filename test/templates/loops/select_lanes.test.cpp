// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// select_lanes.h against a plain loop: the first or the last of equal ones, NaN before all numbers, elements of every
// width, odd lengths; what is not better than the start changes nothing.
#include "templates/loops/select_lanes.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;
using test::Random;

namespace {

/// The largest: of equal ones the first or, if kLast, the last.
template <bool kLast>
struct Larger {
  template <class X>
  auto operator()(X x, X best) const {
    if constexpr (kLast)
      return maskOr(x >= best, x != x);
    else
      return maskAnd(maskNot(x <= best), best == best);
  }
};

template <class T, class A, class Order>
void check(const std::vector<A> &x, A start, Order order) {
  A best = start, wantedBest = start;
  int64_t place = 7, wanted = 7;
  for (size_t i = 0; i < x.size(); ++i)
    if (order(x[i], wantedBest))
      wantedBest = x[i], wanted = int64_t(i);
  selectLanes<T>(
      int64_t(x.size()), [&](auto tag, int64_t i) { return load<Like<typename decltype(tag)::Type, A>>(x.data() + i); },
      order, best, place);
  CHECK(place == wanted);
  CHECK((best == wantedBest || (best != best && wantedBest != wantedBest)));
}

template <class T, class A>
void checkLengths(A start) {
  for (const unsigned n : {0u, 1u, 3u, 4u, 7u, 8u, 15u, 16u, 17u, 31u, 32u, 33u, 64u, 100u, 257u})
    for (const int kinds : {1, 3, 100}) { // few kinds: many equal ones
      CAPTURE(n);
      Random random(n);
      std::vector<A> x;
      for (size_t i = 0; i < n; ++i)
        x.push_back(A(int(random.bits() % unsigned(kinds)) - 1));
      check<T>(x, start, Larger<false>{});
      check<T>(x, start, Larger<true>{});
      if constexpr (kIsFloat<A>) {
        if (n > 2)
          x[n / 2] = A(SINTER_NAN), x[n - 1] = A(SINTER_NAN);
        check<T>(x, start, Larger<false>{});
        check<T>(x, start, Larger<true>{});
      }
      check<T>(x, A(120), Larger<false>{});
    }
}

} // namespace

TEST_CASE("the best and its place") {
  checkLengths<int32_t, float>(-float(SINTER_INFINITY));
  checkLengths<double, double>(-double(SINTER_INFINITY));
  checkLengths<int64_t, int64_t>(INT64_MIN);
  checkLengths<int32_t, int32_t>(INT32_MIN);
  checkLengths<int32_t, int16_t>(INT16_MIN);
  checkLengths<int32_t, int8_t>(INT8_MIN);
}
