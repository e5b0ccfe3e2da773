// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of a product's operands term_products.h has in scratch at a time, for the template and for the compiler,
// which reserves it.
#pragma once

#include "templates/loops/rounded_up.h"

namespace sinter {
namespace {

/// Numbers of k that a step multiplies.
[[maybe_unused]] constexpr int64_t kTermStep = 32;
/// Numbers of k whose columns are split at a time: terms of 32 columns fill half of a first-level cache of 48 KB.
[[maybe_unused]] constexpr int64_t kTermBlock = 128;
/// Numbers of k whose rows are split at a time at most.
[[maybe_unused]] constexpr int64_t kTermDepth = 1024;
/// Rows that are split at a time at most, and words of their terms.
[[maybe_unused]] constexpr int64_t kMostTermRows = 512, kMostTermWords = 192 << 10;

/// Of products of terms a_i b_j those up to this i + j are added.
[[maybe_unused]] constexpr int kDeepestTerms = 2;
/// How many these are.
SINTER_INLINE constexpr int productsOfTerms(int termsA, int termsB) {
  int count = 0;
  for (int i = 0; i < termsA; ++i)
    for (int j = 0; j < termsB; ++j)
      count += i + j <= kDeepestTerms;
  return count;
}

struct TermSizes {
  int64_t rows;               ///< of A that are split at a time
  int64_t depth;              ///< of k, the same
  bool keepsPanels;           ///< whether the sums of all panels wait for what follows of k
  int64_t wordsOfA, wordsOfB; ///< of 32 bits, for terms
  int64_t sums;               ///< the same, for those that wait
};

/// How much of k is split of so many rows, whole kTermBlock of it unless that is all: terms of 768 KB.
SINTER_INLINE constexpr int64_t termDepth(int64_t rows, int64_t k, int termsA) {
  const int64_t fitting = kMostTermWords / (rows / 2 * termsA) / kTermBlock * kTermBlock;
  const int64_t most = fitting < kTermDepth ? fitting : kTermDepth;
  return k < 0 || k >= most ? most : k > 0 ? roundedUp(k, kTermStep) : kTermStep;
}

/// For m rows and k, negative where unknown: as many rows as are split at a time, since columns are split again for the
/// next ones; then as much of k as leaves terms in the second-level cache. Fewer rows where the sums of all panels
/// would take too much. What is reserved is enough for fewer rows or columns, too.
SINTER_INLINE constexpr TermSizes termSizes(int64_t columns, int64_t m, int64_t n, int64_t k, int termsA, int termsB) {
  constexpr int64_t kMostSums = 256 << 10, kFewRows = 128; // of 1 MB, unless these few have more
  const int64_t most = m < 0 || m > kMostTermRows ? kMostTermRows : m > 0 ? roundedUp(m, 32) : 32;
  const int64_t width = n > 0 ? roundedUp(n, columns) : columns;
  TermSizes sizes = {};
  sizes.rows = most;
  sizes.depth = termDepth(most, k, termsA);
  const bool mayKeepPanels = k < 0 || k > sizes.depth;
  if (mayKeepPanels) {
    const int64_t fitting = kMostSums / width / 32 * 32, rows = fitting > kFewRows ? fitting : kFewRows;
    if (rows < most) {
      sizes.rows = rows;
      sizes.depth = termDepth(rows, k, termsA);
    }
  }
  sizes.keepsPanels = k < 0 || k > sizes.depth;
  const int64_t wordsOfAll = most * termDepth(32, k, termsA) / 2 * termsA;
  sizes.wordsOfA = wordsOfAll < kMostTermWords ? wordsOfAll : kMostTermWords;
  sizes.wordsOfB = kTermBlock / 2 * columns * termsB;
  const int64_t sumsOfAll = most * width, sumsOfFew = kFewRows * width > kMostSums ? kFewRows * width : kMostSums;
  sizes.sums = !mayKeepPanels ? most * columns : sumsOfAll < sumsOfFew ? sumsOfAll : sumsOfFew;
  return sizes;
}

/// Bytes of scratch, a multiple of 64.
SINTER_INLINE constexpr int64_t termScratchBytes(int64_t columns, int64_t m, int64_t n, int64_t k, int termsA,
                                                 int termsB) {
  const TermSizes sizes = termSizes(columns, m, n, k, termsA, termsB);
  return (sizes.wordsOfA + sizes.wordsOfB + sizes.sums) * 4;
}

} // namespace
} // namespace sinter
