// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// in_order.h against std::sort: over sizes around those that are sorted by insertion, in orders that quicksort likes
// and that it does not; and row_order.h's items against the order of the elements themselves.
#include "templates/selection/in_order.h"
#include "templates/selection/row_order.h"
#include "ulp.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <limits>
#include <vector>

using namespace sinter;
using test::Random;

namespace {

const auto rises = [](int64_t a, int64_t b) { return a < b; };

std::vector<std::vector<int64_t>> arrangements(int64_t n) {
  std::vector<std::vector<int64_t>> all(5);
  for (int64_t i = 0; i < n; ++i) {
    all[0].push_back(i);
    all[1].push_back(n - i);
    all[2].push_back(i < n / 2 ? i : n - i + n);             // up, then down
    all[3].push_back(i % 2 != 0 ? i : 2 * n - i);            // from both ends
    all[4].push_back((i * 7919 + 13) % 100003 * 100000 + i); // scattered
  }
  return all;
}

/// The places of x, sorted by `withRowOrder`, and how many of them follow an equal one.
template <class X>
std::pair<std::vector<int64_t>, int> sorted(const std::vector<X> &x, bool falls) {
  std::vector<int64_t> items, places;
  int equal = 0;
  const auto n = int64_t(x.size());
  withRowOrder(x.data(), 1, n, falls, [&](const auto &order) {
    for (int64_t i = 0; i < n; ++i)
      items.push_back(order.item(i));
    const auto isBefore = [&](int64_t a, int64_t b) { return order.isBefore(a, b); };
    int64_t last = 0;
    visitInOrder(items.data(), n, isBefore, [&](int64_t item) {
      equal += int(!places.empty() && order.areEqual(last, item));
      last = item;
      places.push_back(order.place(item));
      return true;
    });
  });
  return {places, equal};
}

template <class X>
void checkOrder(const std::vector<X> &x) {
  for (const bool falls : {false, true}) {
    std::vector<int64_t> want;
    for (size_t i = 0; i < x.size(); ++i)
      want.push_back(int64_t(i));
    const auto compare = [&](int64_t a, int64_t b) { return compareElements(x[size_t(a)], x[size_t(b)]); };
    std::sort(want.begin(), want.end(), [&](int64_t a, int64_t b) {
      const int c = compare(a, b);
      return c == 0 ? a < b : (c < 0) != falls;
    });
    int equal = 0;
    for (size_t i = 1; i < want.size(); ++i)
      equal += int(compare(want[i - 1], want[i]) == 0);
    const auto [places, equalSeen] = sorted(x, falls);
    CHECK(places == want);
    CHECK(equalSeen == equal);
  }
}

} // namespace

TEST_CASE("all in order, the first few, and the first few moved to the front") {
  for (const int64_t n : {1, 2, 3, 11, 12, 13, 14, 25, 31, 100, 127, 128, 129, 1000, 5003})
    for (const auto &items : arrangements(n)) {
      auto want = items;
      std::sort(want.begin(), want.end());
      for (const int64_t k : {int64_t(1), n / 3 + 1, n}) {
        CAPTURE(n);
        CAPTURE(k);
        auto visited = items;
        std::vector<int64_t> got;
        visitInOrder(visited.data(), n, rises, [&](int64_t item) {
          got.push_back(item);
          return int64_t(got.size()) < k;
        });
        REQUIRE(got == std::vector<int64_t>(want.begin(), want.begin() + k));
        if (k == n)
          continue;
        auto moved = items;
        moveFirst(moved.data(), n, k, rises);
        REQUIRE(moved[size_t(k - 1)] == want[size_t(k - 1)]);
        std::sort(moved.begin(), moved.begin() + k);
        REQUIRE(std::equal(want.begin(), want.begin() + k, moved.begin()));
      }
    }
}

TEST_CASE("an order that chooses the worst pivots costs no more than a heap") {
  // The adversary's: whether an item is large is decided as late as possible, so that each pivot is among the least.
  constexpr int64_t n = 4000, undecided = n;
  std::vector<int64_t> items, value(size_t(n), undecided);
  for (int64_t i = 0; i < n; ++i)
    items.push_back(i);
  int64_t decided = 0, candidate = 0, compared = 0;
  const auto isBefore = [&](int64_t a, int64_t b) {
    ++compared;
    int64_t &x = value[size_t(a)], &y = value[size_t(b)];
    if (x == undecided && y == undecided)
      (a == candidate ? x : y) = decided++;
    if (x == undecided)
      candidate = a;
    else if (y == undecided)
      candidate = b;
    return x < y;
  };
  int64_t visits = 0, last = -1;
  bool isInOrder = true;
  visitInOrder(items.data(), n, isBefore, [&](int64_t item) {
    isInOrder &= visits == 0 || value[size_t(last)] <= value[size_t(item)];
    last = item;
    return ++visits > 0;
  });
  CHECK(visits == n);
  CHECK(isInOrder);
  CHECK(compared < n * 100); // n^2 / 2 is 2000 of each
}

TEST_CASE_TEMPLATE("elements in order, ties by place", T, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t,
                   int64_t, uint64_t, float, double) {
  using Limits = std::numeric_limits<T>;
  Random random(7);
  for (const size_t n : {size_t(1), size_t(5), size_t(33), size_t(300)}) {
    std::vector<T> x;
    for (size_t i = 0; i < n; ++i)
      x.push_back(T(random.below(50)));
    checkOrder(x);
    x[n / 2] = Limits::max();
    checkOrder(x);
    x[n / 3] = Limits::lowest();
    checkOrder(x);
    x[n - 1] = T(-1);
    checkOrder(x);
    if constexpr (kSame<T, double>) { // the same but for their last bits
      for (size_t i = 0; i < n; i += 2)
        x[i] = (i % 4 ? -1 : 1) * (1 + double(random.below(9)) * Limits::epsilon());
      checkOrder(x);
    }
    if constexpr (Limits::has_infinity) {
      x[0] = T(-0.0);
      x[n / 4] = T(0);
      x[n / 5] = Limits::infinity();
      x[n / 6] = -Limits::infinity();
      checkOrder(x);
      x[n / 2] = Limits::quiet_NaN();
      x[n / 7] = -Limits::quiet_NaN();
      checkOrder(x);
    }
  }
}
