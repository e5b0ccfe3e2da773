// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scatter_reduction.h: rows of any length are combined as their elements are one by one, of each type; NaN stays.
#include "templates/selection/scatter_reduction.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

template <class T>
T wanted(int64_t reduction, T there, T comes) {
  const double a = double(convert<float>(there)), b = double(convert<float>(comes));
  const double result = reduction == 0   ? b
                        : reduction == 1 ? a + b
                        : reduction == 2 ? a * b
                        : reduction == 3 ? (a > b || a != a ? a : b)
                                         : (a < b || a != a ? a : b);
  return convert<T>(float(result));
}

template <class T>
void checkRows() {
  for (int64_t n : {1, 3, 8, 17, 33, 100})
    for (int64_t reduction = 0; reduction < 5; ++reduction) {
      CAPTURE(n);
      CAPTURE(reduction);
      std::vector<T> there, comes;
      for (int64_t i = 0; i < n + 2; ++i) {
        there.push_back(convert<T>(float(i * 5 % 11)));
        comes.push_back(convert<T>(float(i * 7 % 10)));
      }
      if constexpr (kIsFloat<T> || kIsHalf<T>)
        there[size_t(n / 2)] = convert<T>(float(SINTER_NAN));
      auto row = there, single = there;
      withReduction(reduction, [&](auto known) { scatterRow(known, row.data(), comes.data(), n); });
      for (int64_t i = 0; i < n + 2; ++i) {
        const auto at = size_t(i);
        scatterOne(reduction, single[at], comes[at]);
        const T want = i < n ? wanted(reduction, there[at], comes[at]) : there[at];
        const auto same = [](T a, T b) {
          const float x = convert<float>(a), y = convert<float>(b);
          return x == y || (x != x && y != y);
        };
        CHECK(same(row[at], want));
        CHECK((i >= n || same(single[at], want)));
      }
    }
}

} // namespace

TEST_CASE("rows are combined as elements are") {
  checkRows<float>();
  checkRows<double>();
  checkRows<f16>();
  checkRows<int8_t>();
  checkRows<uint8_t>();
  checkRows<int32_t>();
  checkRows<int64_t>();
}
