// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns of few elements a row, merged by whole rows in a vector: each is that of its elements one by one.
#include "templates/loops/reduce_columns.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

template <class T, int kColumns, class Merge>
void columnsAgree(int64_t rows, T neutral, Merge merge) {
  CAPTURE(rows);
  CAPTURE(kColumns);
  std::vector<T> in;
  for (int64_t i = 0; i < rows * kColumns; ++i)
    in.push_back(T(i * 7919 % 1013) - T(500));
  T got[kColumns];
  reduceColumns<T, kColumns>(
      rows, [&](auto tag, int64_t i) { return load<typename decltype(tag)::Type>(in.data() + i); }, neutral, merge,
      got);
  for (int c = 0; c < kColumns; ++c) {
    T want = neutral;
    for (int64_t i = 0; i < rows; ++i)
      want = merge(want, in[size_t(i * kColumns + c)]);
    REQUIRE(got[c] == want); // whole numbers: sums are exact in any order
  }
}

template <class T>
void columnsOf(T least) {
  for (int64_t rows : {0, 1, 2, 5, 6, 7, 21, 22, 63, 64, 65, 1000}) {
    columnsAgree<T, 1>(rows, least, Largest{});
    columnsAgree<T, 2>(rows, least, Largest{});
    columnsAgree<T, 3>(rows, least, Largest{});
    columnsAgree<T, 5>(rows, T(0), Sum{});
    columnsAgree<T, 7>(rows, T(0), Sum{});
    columnsAgree<T, 9>(rows, least, Largest{});
  }
}

} // namespace

TEST_CASE("columns of few elements a row") {
  columnsOf<float>(-1e9f);
  columnsOf<double>(-1e9);
  columnsOf<int32_t>(-1000000);
  columnsOf<int64_t>(-1000000);
}
