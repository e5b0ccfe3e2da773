// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce_lanes.h against plain loops over odd lengths, for each way of merging.
#include "templates/loops/reduce_lanes.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;
using test::Random;

namespace {
template <class T, class Merge>
T reduced(const std::vector<T> &x, T neutral, Merge merge) {
  return reduceLanes<T>(
      int64_t(x.size()), [&](auto tag, int64_t i) { return load<typename decltype(tag)::Type>(x.data() + i); }, neutral,
      merge);
}
} // namespace

TEST_CASE("reductions over odd lengths") {
  for (const int64_t length : {0, 1, 2, 3, 7, 15, 16, 17, 63, 64, 65, 100, 257}) {
    CAPTURE(length);
    const auto n = size_t(length);
    Random random(n);
    std::vector<int32_t> x;
    uint32_t sum = 0, product = 1;
    int32_t largest = INT32_MIN, smallest = INT32_MAX, all = -1, any = 0;
    uint32_t largestUnsigned = 0, smallestUnsigned = UINT32_MAX;
    for (size_t i = 0; i < n; ++i) {
      x.push_back(int32_t(random.bits() | 1));
      sum += uint32_t(x[i]), product *= uint32_t(x[i]); // integers wrap
      largest = std::max(largest, x[i]), smallest = std::min(smallest, x[i]);
      all &= x[i], any |= x[i];
      largestUnsigned = std::max(largestUnsigned, uint32_t(x[i]));
      smallestUnsigned = std::min(smallestUnsigned, uint32_t(x[i]));
    }
    CHECK(reduced(x, 0, Sum{}) == int32_t(sum));
    CHECK(reduced(x, 1, Product{}) == int32_t(product));
    CHECK(reduced(x, INT32_MIN, Largest{}) == largest);
    CHECK(reduced(x, INT32_MAX, Smallest{}) == smallest);
    CHECK(uint32_t(reduced(x, 0, LargestUnsigned{})) == largestUnsigned);
    CHECK(uint32_t(reduced(x, -1, SmallestUnsigned{})) == smallestUnsigned);
    CHECK(reduced(x, -1, AllBits{}) == all);
    CHECK(reduced(x, 0, AnyBits{}) == any);

    const auto floats = random.vector(n);
    double total = 0;
    for (float v : floats)
      total += double(v);
    CHECK(std::fabs(double(reduced(floats, 0.0f, Sum{})) - total) < 1e-5);
  }
}
