// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Winograd's products of one dim of a convolution with any number of taps, two outputs at a time (conv_winograd.h).
//   taps in parts of three   F(2, 3): 4 products instead of 6    (d0-d2) g0, (d1+d2)(g0+g1+g2)/2, (d2-d1)(g0-g1+g2)/2, (d1-d3) g2
//   and two                  F(2, 2): 3 products instead of 4    (d0-d1) g0, d1 (g0+g1), -, (d1-d2) g1
// where part p of the taps from `first` on reads inputs d0 = d[first], d1, ... All parts add to the same four sums,
//   y0 = s0 + s1 + s2,   y1 = s1 - s2 - s3
// so that 5 taps are 7 products instead of 10, 7 are 10 instead of 14, 9 are 12 instead of 18. Points are 0, 1, -1 and
// infinity alone: those of longer parts cost digits. A dim of one tap is its own product. Filters are packed with these
// numbers: winograd_filters.h in the compiler.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {

/// Products are in the order of the sums that they add to, of one sum in that of the parts.
struct WinogradTaps {
  int taps;

  SINTER_INLINE_MEMBER constexpr bool isPlain() const { return taps == 1; }
  SINTER_INLINE_MEMBER constexpr int outputs() const { return isPlain() ? 1 : 2; }
  SINTER_INLINE_MEMBER constexpr int sums() const { return isPlain() ? 1 : 4; }
  SINTER_INLINE_MEMBER constexpr int inputs() const { return taps + outputs() - 1; }
  /// Parts of three taps come first.
  SINTER_INLINE_MEMBER constexpr int threes() const { return isPlain() ? 0 : (taps - 2 * pairs()) / 3; }
  SINTER_INLINE_MEMBER constexpr int pairs() const { return isPlain() ? 0 : (3 - taps % 3) % 3; }
  SINTER_INLINE_MEMBER constexpr int parts() const { return isPlain() ? 1 : threes() + pairs(); }
  SINTER_INLINE_MEMBER constexpr int firstTap(int part) const {
    return part < threes() ? 3 * part : 3 * threes() + 2 * (part - threes());
  }
  SINTER_INLINE_MEMBER constexpr int products() const { return isPlain() ? 1 : 4 * threes() + 3 * pairs(); }
  /// The first product of a sum; that of sums() is products().
  SINTER_INLINE_MEMBER constexpr int productsOf(int sum) const {
    return isPlain() ? sum : sum * parts() - (sum > 2 ? pairs() : 0); // a pair has none in sum 2
  }
};

} // namespace sinter
