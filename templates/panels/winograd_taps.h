// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Winograd's products of one dim of a convolution with any number of taps, two or four outputs at a time
// (conv_winograd.h). Taps are in parts of three and two; each part has inputs d0, d1, ... and products
//   F(2, 3)  (d0-d2) g0, (d1+d2)(g0+g1+g2)/2, (d2-d1)(g0-g1+g2)/2, (d1-d3) g2                 4 instead of 6
//   F(2, 2)  (d0-d1) g0, d1 (g0+g1), -, (d1-d2) g1                                            3 instead of 4
//   F(4, 3)  points 0, a, -a, b, -b and infinity, a = 5/8, b = 3/2                            6 instead of 12
//   F(4, 2)  points 0, a, -a, b and infinity                                                  5 instead of 8
// Part p of the taps from `first` on reads d0 = d[first], d1, ... All parts add to the same sums, one for each point:
//   two   y0 = s0 + s1 + s2,   y1 = s1 - s2 - s3
//   four  yi = s0 (i = 0) + a^i (s1 + (-1)^i s2) + b^i (s3 + (-1)^i s4) + s5 (i = 3)
// so that 5 taps are 7 products instead of 10, or 11 instead of 20. These points let errors of the sums grow least of
// all points that are few bits: 1.9 times where 0, 1, -1, 1/2, -2 have 2.2 (Barabasz and others, "Error analysis and
// improving the accuracy of Winograd convolution", 2020, choose among small fractions). Of two outputs each depends on
// the inputs of its own window alone, so that a map may be cut between them; of four each has the rounding of all
// inputs of the tile. A dim of one tap is its own product. Filters are packed with these numbers: winograd_filters.h in
// the compiler.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {

/// Products are in the order of the sums that they add to, of one sum in that of the parts.
struct WinogradTaps {
  int taps;
  int together = 2; ///< outputs of several taps: 2 or 4

  SINTER_INLINE_MEMBER constexpr bool isPlain() const { return taps == 1; }
  SINTER_INLINE_MEMBER constexpr int outputs() const { return isPlain() ? 1 : together; }
  SINTER_INLINE_MEMBER constexpr int sums() const { return isPlain() ? 1 : together + 2; }
  SINTER_INLINE_MEMBER constexpr int inputs() const { return taps + outputs() - 1; }
  /// Parts of three taps come first.
  SINTER_INLINE_MEMBER constexpr int threes() const { return isPlain() ? 0 : (taps - 2 * pairs()) / 3; }
  SINTER_INLINE_MEMBER constexpr int pairs() const { return isPlain() ? 0 : (3 - taps % 3) % 3; }
  SINTER_INLINE_MEMBER constexpr int parts() const { return isPlain() ? 1 : threes() + pairs(); }
  SINTER_INLINE_MEMBER constexpr int firstTap(int part) const {
    return part < threes() ? 3 * part : 3 * threes() + 2 * (part - threes());
  }
  SINTER_INLINE_MEMBER constexpr int products() const {
    return isPlain() ? 1 : sums() * threes() + (sums() - 1) * pairs();
  }
  /// The first product of a sum; that of sums() is products(). A pair has none in the sum before the last.
  SINTER_INLINE_MEMBER constexpr int productsOf(int sum) const {
    return isPlain() ? sum : sum * parts() - (sum > sums() - 2 ? pairs() : 0);
  }
};

/// Whether four outputs of x, beside y with two, have at most twice the direct kernel's error: few parts, and of two
/// dims each with as many threes as pairs. A pair leaves an error like that of a three for the work of two taps.
SINTER_INLINE constexpr bool hasSmallErrorsByFours(WinogradTaps y, WinogradTaps x) {
  constexpr int mostParts = 4;
  return x.taps > 2 && y.parts() * x.parts() <= mostParts &&
         (y.isPlain() || (y.pairs() <= y.threes() && x.pairs() <= x.threes()));
}

/// The points of four outputs. Their powers and products are exact.
constexpr float kWinogradA = 0.625f, kWinogradB = 1.5f;

/// One dim of a convolution, F(outputs, taps) as papers write it; WinogradF<1, 1> is a dim of one tap.
template <int kOutputs, int kTaps>
struct WinogradF {
  static constexpr WinogradTaps kWinograd{kTaps, kOutputs};
};

} // namespace sinter
