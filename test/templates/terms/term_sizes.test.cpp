// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scratch of term_sizes.h: what is reserved for a product is enough for each share of its rows and columns.
#include "templates/terms/term_sizes.h"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace sinter;

TEST_CASE("scratch is enough for what is split, and for each share") {
  for (const int64_t k : {-1, 1, 200, 300, 700, 1500, 5000})
    for (const int terms : {1, 2, 3})
      for (const int64_t n : {1, 33, 500, 900, 1000, 2500, 5000})
        for (const int64_t m : {1, 100, 130, 300, 480, 600, -1}) {
          const TermSizes sizes = termSizes(32, m, n, k, terms, terms);
          const int64_t panels = sizes.keepsPanels ? (n + 31) / 32 : 1;
          REQUIRE(sizes.rows * sizes.depth / 2 * terms <= sizes.wordsOfA);
          REQUIRE(sizes.rows * 32 * panels <= sizes.sums);
          REQUIRE(sizes.rows <= kMostTermRows);
          REQUIRE((sizes.rows % 32 == 0 && sizes.depth % 32 == 0 && sizes.depth > 0));
          REQUIRE((k < 0 || sizes.depth >= k || sizes.depth % kTermBlock == 0)); // sums in the same parts of k
          for (const int64_t rows : {0, 1, 32, 90, 129, 256, 450})
            for (const int64_t columns : {0, 1, 64, 480, 896})
              if ((m < 0 || rows <= m) && columns <= n)
                REQUIRE(termScratchBytes(32, rows, columns, k, terms, terms) <=
                        termScratchBytes(32, m, n, k, terms, terms));
        }
}
