// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 3x3 convolution with stride 1 of 8-bit feature maps, channels last, by Winograd's F(2x2, 3x3) in integers, which is
// exact: 16 products make four outputs instead of 36. Inputs less their zero point are transformed by
//   B' = [1 0 -1 0; 0 1 1 0; 0 -1 1 0; 0 1 0 -1]     at most 4 * 255,
// filters, at compile time, by twice the usual matrix
//   G = [2 0 0; 1 1 1; 1 -1 1; 0 0 2]                at most 9 * 128, so both are 16 bits wide,
// and A' = [1 1 1 0; 0 1 -1 -1] makes four times each sum of the products. All is modulo 2^32 up to there: the compiler
// proves that this is within 32 bits. For four filters the packed weights hold
//   [4 b]                     of each filter
//   [position][step][filter]  a word for two input channels: of four channels 0 and 2, then 1 and 3
//   [factor]                  of each filter, where the epilogue is a Rescale: proved, or the definition's float with
//                             its sign bit set
//   [channel]                 of each filter, int16; -1: none
// A pair of tiles, 2 rows by 4 columns of outputs, is made at a time, so that scratch is small.
#pragma once

#include "templates/dual/winograd_products.h"
#include "templates/maps/image.h"
#include "templates/quantized/rescale.h"

namespace sinter {
namespace {

/// Words that a pair of tiles is made in.
SINTER_INLINE constexpr int64_t winogradScratch(int64_t channels) {
  return 4 * 6 * channels / 4 + kWinogradPositions * winogradStride(channels / 2);
}
/// What follows from the shape.
template <class Shape>
struct WinogradPlan {
  static constexpr Shape s{};
  static constexpr int channels = int(s.channels), steps = channels / 2;
  static constexpr int stride = int(winogradStride(steps));      // words from one position to the next
  static constexpr int width = 6, height = 4;                    // of what a pair of tiles reads
  static constexpr int tiles = 4 * width * channels / 4;         // words of it, before the tiles themselves in scratch
  static constexpr int scratch = int(winogradScratch(channels)); // words
};

/// One column of two rows, four channels: a + b or a - b, in int16; `zero` sees to zero points.
template <bool kIsSum, class TA>
SINTER_INLINE void winogradColumn(const TA *a, const TA *b, int32_t zero, int32_t &even, int32_t &odd) {
  const int32_t first = loadWord(a), second = kIsSum ? loadWord(b) : ~loadWord(b);
  even = widenEven<TA>(widenEven<TA>(zero, first), second);
  odd = widenOdd<TA>(widenOdd<TA>(zero, first), second);
}
/// One row of the positions of two tiles, from the two rows that it combines.
template <class Shape, bool kIsSum, class TA>
SINTER_INLINE void winogradRow(const TA *a, const TA *b, int32_t inZero, int32_t *to) {
  using Plan = WinogradPlan<Shape>;
  constexpr int c = Plan::channels;
  constexpr int32_t lost = kSame<TA, int8_t> ? 1 : -255; // a complement is that much less than -b
  const int32_t each = kIsSum ? -2 * inZero : lost, zero = halves(each, each);
  const auto column = [&](int x, int32_t &even, int32_t &odd) {
    winogradColumn<kIsSum>(a + x * c, b + x * c, zero, even, odd);
  };
  for (const TA *const end = a + c; a != end; a += 4, b += 4, to += 2) {
    int32_t even[4], odd[4];
    column(0, even[0], odd[0]);
    column(1, even[1], odd[1]);
    SINTER_UNROLL
    for (int tile = 0; tile < 2; ++tile) {
      const int k = 2 * tile; // columns k .. k + 3, held modulo 4
      const int32_t(&e)[4] = even, (&o)[4] = odd;
      int32_t *at = to + tile * Plan::steps;
      column(k + 2, even[(k + 2) % 4], odd[(k + 2) % 4]);
      at[0] = dualSubtract(e[k % 4], e[(k + 2) % 4]);
      at[1] = dualSubtract(o[k % 4], o[(k + 2) % 4]);
      at[Plan::stride] = dualAdd(e[k + 1], e[(k + 2) % 4]);
      at[Plan::stride + 1] = dualAdd(o[k + 1], o[(k + 2) % 4]);
      at[2 * Plan::stride] = dualSubtract(e[(k + 2) % 4], e[k + 1]);
      at[2 * Plan::stride + 1] = dualSubtract(o[(k + 2) % 4], o[k + 1]);
      column(k + 3, even[(k + 3) % 4], odd[(k + 3) % 4]);
      at[3 * Plan::stride] = dualSubtract(e[k + 1], e[(k + 3) % 4]);
      at[3 * Plan::stride + 1] = dualSubtract(o[k + 1], o[(k + 3) % 4]);
    }
  }
}
/// Both tiles of the 4 x 6 pixels at `in`.
template <class Shape, class TA>
SINTER_NOINLINE void winogradTiles(const TA *in, int32_t row, int32_t inZero, int32_t *tiles) {
  constexpr int next = 4 * WinogradPlan<Shape>::stride;
  winogradRow<Shape, false>(in, in + 2 * row, inZero, tiles);
  winogradRow<Shape, true>(in + row, in + 2 * row, inZero, tiles + next);
  winogradRow<Shape, false>(in + 2 * row, in + row, inZero, tiles + 2 * next);
  winogradRow<Shape, false>(in + row, in + 3 * row, inZero, tiles + 3 * next);
}

/// The 4 x 6 pixels from (y, x) on, of which some are padding, to where they are adjacent.
template <class Shape, class TA>
SINTER_NOINLINE void copyPatch(const Shape &s, const TA *image, int32_t y, int32_t x, int32_t inZero, TA *to) {
  using Plan = WinogradPlan<Shape>;
  const int32_t pads = int32_t(uint32_t(inZero & 0xff) * 0x01010101u);
  for (int32_t i = y; i < y + Plan::height; ++i)
    for (int32_t j = x; j < x + Plan::width; ++j) {
      const bool isInside = i >= 0 && i < int32_t(s.height) && j >= 0 && j < int32_t(s.width);
      const TA *from = image + i * int32_t(s.in.row) + j * int32_t(s.in.pixel);
      for (const TA *const end = to + Plan::channels; to != end; to += 4, from += 4)
        storeWord(to, isInside ? loadWord(from) : pads);
    }
}

/// The 2 x 2 outputs of a tile and a filter, from the products that lie `kStride` words apart.
template <int kStride>
SINTER_INLINE void winogradOutputs(const int32_t *m, int32_t bias, int32_t (&sums)[2][2]) {
  int32_t columns[2][4];
  SINTER_UNROLL
  for (int j = 0; j < 4; ++j) {
    const auto at = [&](int i) { return m[(4 * i + j) * kStride]; };
    const int32_t second = j == 1 ? wrapAdd(at(1), bias) : at(1);
    columns[0][j] = wrapAdd(wrapAdd(at(0), second), at(2));
    columns[1][j] = wrapSubtract(wrapSubtract(second, at(2)), at(3));
  }
  SINTER_UNROLL
  for (int i = 0; i < 2; ++i) {
    sums[i][0] = wrapAdd(wrapAdd(columns[i][0], columns[i][1]), columns[i][2]) >> 2;
    sums[i][1] = wrapSubtract(wrapSubtract(columns[i][1], columns[i][2]), columns[i][3]) >> 2;
  }
}

/// Where a pair of tiles' results go.
template <class TC>
struct WinogradPlace {
  TC *out;
  int32_t n, h, w;
  bool hasSecondRow;
};

/// Calls each(output, sum, row, column) for all outputs that there are of a filter, whose first one's place is `out`.
template <class Shape, class TC, class Each>
SINTER_INLINE void eachWinogradOutput(const Shape &s, const int32_t *m, int32_t bias, const WinogradPlace<TC> &place,
                                      TC *out, const Each &each) {
  const int32_t row = int32_t(s.out.row), pixel = int32_t(s.out.pixel), left = int32_t(s.outWidth) - place.w;
  const auto tile = [&](int32_t x) SINTER_INLINE_LAMBDA {
    int32_t sums[2][2];
    winogradOutputs<WinogradPlan<Shape>::stride>(m + 2 * x, bias, sums);
    TC *const at = out + x * pixel;
    const bool hasSecond = Shape::outWidth % 2 == 0 || x + 1 < left;
    each(at[0], sums[0][0], 0, x);
    if (hasSecond)
      each(at[pixel], sums[0][1], 0, x + 1);
    if (!place.hasSecondRow)
      return;
    each(at[row], sums[1][0], 1, x);
    if (hasSecond)
      each(at[row + pixel], sums[1][1], 1, x + 1);
  };
  tile(0);
  if (Shape::outWidth % 4 == 0 || left > 2)
    tile(2);
}
/// The outputs of one filter. kProved: its factor is.
template <bool kProved, class Shape, class TC, class Epilogue>
SINTER_INLINE void storeWinograd(const Shape &s, const int32_t *m, int32_t bias, [[maybe_unused]] int32_t factor,
                                 const WinogradPlace<TC> &place, int32_t channel, const Epilogue &epilogue) {
  eachWinogradOutput(
      s, m, bias, place, place.out + channel, [&](TC &out, int32_t sum, int32_t i, int32_t j) SINTER_INLINE_LAMBDA {
        if constexpr (kIsRescaleThen<Epilogue>)
          out = TC(epilogue.template run<kProved>(sum, factor, place.n, channel, place.h + i, place.w + j));
        else if constexpr (kIsRescale<Epilogue>)
          out = TC(kProved ? epilogue.proved(sum, factor) : epilogue(sum, factor));
        else
          out = TC(epilogue(sum, int64_t(place.n), int64_t(channel), int64_t(place.h + i), int64_t(place.w + j)));
      });
}
/// A filter that is not proved, or with an epilogue of its own: out of line.
template <class Shape, class TC, class Epilogue>
SINTER_NOINLINE void storeWinogradAny(const Shape &s, const int32_t *m, int32_t bias, int32_t factor,
                                      const WinogradPlace<TC> &place, int32_t channel, const Epilogue &epilogue) {
  storeWinograd<false>(s, m, bias, factor, place, channel, epilogue);
}
/// The results of four filters, of which some may be none, from their sums and the words before and behind theirs.
template <class Shape, class TC, class Epilogue>
SINTER_INLINE void storeWinogradGroup(const Shape &s, const int32_t *m, const int32_t *bias, const int32_t *behind,
                                      const WinogradPlace<TC> &place, const Epilogue &epilogue) {
  const int16_t *channels = reinterpret_cast<const int16_t *>(behind + (kIsRescale<Epilogue> ? 4 : 0));
  for (int32_t j = 0; j < 4; ++j) {
    const int32_t channel = channels[j];
    if (channel < 0)
      return;
    if constexpr (kIsRescale<Epilogue>)
      if (behind[j] > 0) {
        storeWinograd<true>(s, m + j, bias[j], behind[j], place, channel, epilogue);
        continue;
      }
    storeWinogradAny(s, m + j, bias[j], kIsRescale<Epilogue> ? behind[j] : 0, place, channel, epilogue);
  }
}

/// `in`, `out`: channels last; their channels' stride is 1, and channels are a multiple of 4. Of Shape only height,
/// outHeight and padTop may vary at run time; one group, stride 1, no dilation. `inZero`: the input's zero point.
/// `weights`: aligned to words, `groups` of four filters. `scratch`: WinogradPlan::scratch words, aligned to them.
/// `epilogue`: a Rescale, a RescaleThen, or (v, n, c, h, w). Output rows firstRow .. lastRow - 1.
template <class Shape, class TA, class TC, class First, class Last, class Epilogue>
void dualWinograd(const Shape &s, const TA *in, int32_t inZero, const int32_t *weights, TC *out, int16_t *scratch,
                  int32_t groups, First firstRow, Last lastRow, const Epilogue &epilogue) {
  using Plan = WinogradPlan<Shape>;
  constexpr int32_t products = kWinogradPositions * 4 * Plan::steps;
  constexpr int32_t words = 4 + products + (kIsRescale<Epilogue> ? 4 : 0) + 2;
  const int32_t *const end = weights + groups * words;
  TA *const patch = reinterpret_cast<TA *>(scratch);
  int32_t *const tiles = reinterpret_cast<int32_t *>(scratch) + Plan::tiles;
  const int32_t height = int32_t(s.height), row = int32_t(s.in.row);
  for (int32_t n = 0; n < int32_t(s.batch); ++n) {
    const TA *image = in + n * int32_t(s.in.batch);
    TC *result = out + n * int32_t(s.out.batch);
    for (int32_t h = int32_t(firstRow); h < int32_t(lastRow); h += 2) {
      const int32_t y = h - int32_t(s.padTop);
      for (int32_t w = 0; w < int32_t(s.outWidth); w += 4) {
        const int32_t x = w - int32_t(s.padLeft);
        if (y >= 0 && y + Plan::height <= height && x >= 0 && x + Plan::width <= int32_t(s.width) &&
            int32_t(s.in.pixel) == Plan::channels) {
          winogradTiles<Shape>(image + y * row + x * Plan::channels, row, inZero, tiles);
        } else {
          copyPatch(s, image, y, x, inZero, patch);
          winogradTiles<Shape>(patch, Plan::width * Plan::channels, inZero, tiles);
        }
        const WinogradPlace<TC> place = {result + h * int32_t(s.out.row) + w * int32_t(s.out.pixel), n, h, w,
                                         h + 1 < int32_t(lastRow)};
        for (const int32_t *group = weights; group != end; group += words) {
          winogradProducts<Plan::steps>(tiles, group + 4);
          storeWinogradGroup(s, tiles + 2 * Plan::steps, group, group + 4 + products, place, epilogue);
        }
      }
    }
  }
}

} // namespace
} // namespace sinter
