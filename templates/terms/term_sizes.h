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
/// Numbers of k whose rows are split at a time.
[[maybe_unused]] constexpr int64_t kTermDepth = 1024;
/// Rows that are split at a time at most.
[[maybe_unused]] constexpr int64_t kMostTermRows = 512;

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
  int64_t wordsOfA, wordsOfB; ///< of 32 bits, terms
  int64_t sums;               ///< the same, those that wait
};

/// For m rows and k, negative where unknown: as many as are split at a time.
SINTER_INLINE constexpr TermSizes termSizes(int64_t columns, int64_t m, int64_t n, int64_t k, int termsA, int termsB) {
  constexpr int64_t kMostWords = 192 << 10; // of A: 768 KB
  TermSizes sizes = {};
  sizes.depth = k >= 0 && k < kTermDepth ? roundedUp(k, kTermStep) : kTermDepth;
  if (sizes.depth < kTermStep)
    sizes.depth = kTermStep;
  const int64_t wordsOfRow = sizes.depth / 2 * termsA;
  sizes.rows = kMostWords / wordsOfRow / 32 * 32;
  if (sizes.rows > kMostTermRows)
    sizes.rows = kMostTermRows;
  if (m >= 0 && m < sizes.rows)
    sizes.rows = roundedUp(m, 32);
  sizes.keepsPanels = k < 0 || k > sizes.depth;
  sizes.wordsOfA = sizes.rows * wordsOfRow;
  sizes.wordsOfB = kTermBlock / 2 * columns * termsB;
  const int64_t panels = sizes.keepsPanels ? (n + columns - 1) / columns : 1;
  sizes.sums = sizes.rows * columns * panels;
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
