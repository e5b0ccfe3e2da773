// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packing as compiler/kernels/dual/support/dual_packing.cpp does it, small, and integer products by their definition.
// Freestanding: the same cases run in doctest on the host and on an emulated Cortex-M (test/templates/cortex_m.cpp).
#pragma once

#include "templates/dual/dual_conv.h"
#include "templates/dual/dual_depthwise.h"
#include "templates/dual/dual_matmul.h"
#include "winograd_packing.h"

namespace sinter::test {

/// Elements of a case; all cases share the memory, one at a time.
template <class T, int kNumber>
T *storage() {
  constexpr int most = 98304;
  alignas(8) static T all[most];
  return &all[0];
}
struct Bytes {
  uint32_t state = 12345;
  uint32_t next() { return (state = state * 1664525u + 1013904223u) >> 8; }
  template <class T, int kNumber>
  T *fill(int64_t n) {
    T *all = storage<T, kNumber>();
    for (int64_t i = 0; i < n; ++i)
      all[i] = T(next());
    return all;
  }
};
/// A filter's word where it has no proof: the factor's bits with the sign set.
inline int32_t definedWord(float factor) {
  uint32_t bits;
  memcpy(&bits, &factor, sizeof(bits));
  return int32_t(bits | 0x80000000u);
}

/// Groups of four filters of `steps` steps each; factors may be null. Gives how many groups there are. An empty place
/// has the group's first channel where there are factors.
template <class Element>
int32_t packDual(int filters, int steps, Element element, const int32_t *bias, const int32_t *factors, int32_t *words) {
  int32_t groups = 0;
  for (int f = 0; f < filters; f += 4, ++groups) {
    const auto at = [&](int j, int k) -> int32_t { return f + j < filters ? element(f + j, k) : 0; };
    const auto start = [&](int j) { return uint32_t(f + j < filters ? bias[f + j] : 0); };
    for (int j = 0; j < 4; j += 2) {
      *words++ = int32_t(start(j));
      *words++ = int32_t(start(j) + 256u * start(j + 1));
    }
    for (int k = 0; k < 2 * steps; k += 2)
      for (int j = 0; j < 4; j += 2)
        *words++ = halves(256 * at(j + 1, k) + at(j, k), 256 * at(j + 1, k + 1) + at(j, k + 1));
    for (int j = 0; j < 4 && factors; ++j)
      *words++ = f + j < filters ? factors[f + j] : 0;
    const int32_t empty = factors ? f : -1;
    for (int j = 0; j < 4; j += 2)
      *words++ = halves(f + j < filters ? f + j : empty, f + j + 1 < filters ? f + j + 1 : empty);
  }
  return groups;
}
/// A convolution's filters in the order of the elements in a window of lines.
template <class Plan, class Shape, class Weight>
int32_t packDualConv(Weight weight, const int32_t *bias, const int32_t *factors, int32_t *words) {
  const auto element = [&](int f, int k) -> int32_t {
    const int row = k / (2 * Plan::run);
    int i = k % (2 * Plan::run);
    if (Plan::byFours)
      i = i / 4 * 4 + (i % 4 == 1 ? 2 : i % 4 == 2 ? 1 : i % 4);
    const int x = i / Plan::channels, c = i % Plan::channels;
    return x < Shape::kernelW && c < Shape::channels ? weight(f, c, row, x) : 0;
  };
  return packDual(int(Shape::filters), int(Shape::kernelH) * Plan::run, element, bias, factors, words);
}

template <class Shape, class Weight>
void packDualDepthwise(Weight weight, const int32_t *bias, const int32_t *factors, int32_t *words) {
  for (int c = 0; c < Shape::channels; ++c) {
    *words++ = bias[c];
    *words++ = factors[c];
    for (int i = 0; i < Shape::kernelH; ++i) {
      *words++ = halves(weight(c, 0, i, 0), weight(c, 0, i, 1));
      *words++ = halves(weight(c, 0, i, 1), weight(c, 0, i, 2));
    }
  }
}

/// A shape with symmetric strides; KH x KW taps, S stride, pads at top and left.
template <int64_t C, int64_t H, int64_t W, int64_t F, int64_t KH, int64_t KW, int64_t S, int64_t PT, int64_t PL,
          int64_t OH, int64_t OW, int64_t G = 1, int64_t Block = C>
struct QuantShape {
  static constexpr int64_t batch = 1, channels = C, height = H, width = W, filters = F, outHeight = OH, outWidth = OW,
                           kernelH = KH, kernelW = KW, strideH = S, strideW = S, dilationH = 1, dilationW = 1,
                           padTop = PT, padLeft = PL, groups = G;
  static constexpr ImageLayout in = blockedLayout(C, H, W, Block), out = blockedLayout(F, OH, OW, F);
  static constexpr bool isWinograd = false;

  template <class TA, class Weight>
  static int32_t sum(const TA *x, int32_t zero, Weight weight, int f, int h, int w) {
    int32_t total = 0;
    const int perGroup = int(C / G), first = f / int(F / G) * perGroup;
    for (int i = 0; i < KH; ++i)
      for (int j = 0; j < KW; ++j) {
        const int y = h * int(S) - int(PT) + i, z = w * int(S) - int(PL) + j;
        if (y < 0 || z < 0 || y >= H || z >= W)
          continue;
        for (int c = 0; c < perGroup; ++c)
          total += weight(f, c, i, j) * (x[y * in.row + z * in.pixel + channelOffset(in, first + c)] - zero);
      }
    return total;
  }
};

/// 3x3 with stride 1 by dualWinograd.
template <int64_t C, int64_t H, int64_t W, int64_t F, int64_t PT, int64_t PL, int64_t OH, int64_t OW>
struct WinogradShape : QuantShape<C, H, W, F, 3, 3, 1, PT, PL, OH, OW> {
  static constexpr bool isWinograd = true;
};

/// What a case came to: elements that are wrong, and how long the kernel took in units of `clock`.
struct Outcome {
  int wrong = 0;
  uint32_t time = 0;
};
inline uint32_t (*clock)() = []() -> uint32_t { return 0; };

/// How results are made of sums. Mixed: every third filter has no proof; Then: nor here, and something is added to the
/// elements.
enum class Rule { Proved, Mixed, Defined, Lambda, Then };
template <Rule kRule>
constexpr bool isProved(int filter) {
  return kRule == Rule::Proved || ((kRule == Rule::Mixed || kRule == Rule::Then) && filter % 3 != 2);
}

constexpr int32_t kBefore = 77; // what stands in outputs before

template <class Shape, class TA, class TC, Rule kRule>
struct ConvCase {
  static constexpr bool isDepthwise = Shape::groups > 1;
  static constexpr Channels channels = Shape::in.block < Shape::channels ? Channels::First : Channels::Last;
  static constexpr int32_t inZero = kSame<TA, int8_t> ? -3 : 131, outZero = kSame<TC, int8_t> ? -5 : 120;
  static constexpr int low = kSame<TC, int8_t> ? -128 : 0, high = low + 255;

  [[gnu::noinline]] static void run(const TA *in, const int32_t *words, int32_t groups, TC *out, int16_t *scratch) {
    if constexpr (kRule == Rule::Lambda) {
      const auto epilogue = [](int32_t v, int64_t, int64_t c, int64_t h, int64_t w) {
        return int32_t(int8_t(uint32_t(v) ^ uint32_t(c + 7 * h + 11 * w)));
      };
      call(in, words, groups, 0, out, scratch, epilogue);
    } else if constexpr (kRule == Rule::Then) { // a residual that the output lies over
      const auto then = [=](int32_t v, int64_t, int64_t c, int64_t h, int64_t w) {
        return TC(v ^ out[(h * Shape::outWidth + w) * Shape::filters + c]);
      };
      call(in, words, groups, 0, out, scratch, rescaledThen(Rescale<low, high>{outZero}, then));
    } else {
      call(in, words, groups, kRule == Rule::Proved ? groups : 0, out, scratch, Rescale<low, high>{outZero});
    }
  }
  template <class Epilogue>
  static void call(const TA *in, const int32_t *words, [[maybe_unused]] int32_t groups, [[maybe_unused]] int32_t proved,
                   TC *out, int16_t *scratch, const Epilogue &epilogue) {
    if constexpr (isDepthwise)
      dualDepthwise(Shape{}, in, inZero, words, out, scratch, 0, Shape::outHeight, epilogue);
    else if constexpr (Shape::isWinograd)
      dualWinograd(Shape{}, in, inZero, words, out, scratch, groups, 0, Shape::outHeight, epilogue);
    else
      dualConv<channels>(Shape{}, in, inZero, words, out, scratch, groups, proved, 0, Shape::outHeight, epilogue);
  }
  static int32_t wanted(int32_t sum, int32_t factor, int f, int h, int w) {
    if (kRule == Rule::Lambda)
      return TC(int8_t(uint32_t(sum) ^ uint32_t(f + 7 * h + 11 * w)));
    double x = double(sum) * double(factor) / 4294967296.0;
    const int64_t down = int64_t(x) - (x < double(int64_t(x)) ? 1 : 0);
    const int64_t rounded = (x - double(down) >= 0.5 ? down + 1 : down) + outZero;
    const auto element = int32_t(rounded < low ? low : rounded > high ? high : rounded);
    return kRule == Rule::Then ? TC(element ^ kBefore) : element;
  }

  static Outcome check() {
    constexpr int64_t depth = Shape::channels / Shape::groups;
    Bytes random;
    const TA *in = random.fill<TA, 0>(Shape::channels * Shape::height * Shape::width);
    int8_t *filter = random.fill<int8_t, 1>(Shape::filters * depth * Shape::kernelH * Shape::kernelW);
    const auto weight = [&](int f, int c, int i, int j) -> int32_t {
      const int32_t w = filter[((f * depth + c) * Shape::kernelH + i) * Shape::kernelW + j];
      return w == -128 ? -127 : w;
    };
    int32_t *bias = random.fill<int32_t, 2>(Shape::filters), *factors = random.fill<int32_t, 3>(Shape::filters);
    int32_t *used = storage<int32_t, 4>(), *words = storage<int32_t, 5>();
    for (int f = 0; f < Shape::filters; ++f) {
      bias[f] = bias[f] % 4000 - 2000;
      factors[f] = (factors[f] & 0x3fffff) * 16 + 1048576;
      used[f] = isProved<kRule>(f) ? factors[f] : definedWord(float(factors[f]) / 4294967296.0f);
    }
    int32_t groups = 0;
    if constexpr (isDepthwise)
      packDualDepthwise<Shape>(weight, bias, used, words);
    else if constexpr (Shape::isWinograd)
      groups = packWinograd<Shape>(weight, bias, kRule == Rule::Lambda ? nullptr : used, words);
    else
      groups = packDualConv<DualConvPlan<Shape, channels>, Shape>(weight, bias, kRule == Rule::Lambda ? nullptr : used,
                                                                  words);
    TC *out = storage<TC, 6>();
    for (int i = 0; i < Shape::filters * Shape::outHeight * Shape::outWidth; ++i)
      out[i] = TC(kBefore);
    Outcome outcome;
    const uint32_t start = clock();
    run(in, words, groups, out, storage<int16_t, 7>());
    outcome.time = clock() - start;
    for (int h = 0; h < Shape::outHeight; ++h)
      for (int w = 0; w < Shape::outWidth; ++w)
        for (int f = 0; f < Shape::filters; ++f)
          outcome.wrong += wanted(bias[f] + Shape::sum(in, inZero, weight, f, h, w), factors[f], f, h, w) !=
                           out[(h * Shape::outWidth + w) * Shape::filters + f];
    return outcome;
  }
};

/// A case's shape for row tiles of at most kRows of its rows: what varies from row tile to row tile is known at run
/// time only.
template <class Shape>
struct TileShape : Shape {
  int64_t height, outHeight, padTop;
};
/// Elements of the case's result that differ when it is made in row tiles.
template <class Shape, class TA, class TC, Rule kRule, int kRows>
int64_t wrongInRowTiles() {
  using Case = ConvCase<Shape, TA, TC, kRule>;
  Case::check(); // leaves input, words and output where they are
  const TC *whole = storage<TC, 6>();
  TC *row = storage<TC, 8>();
  int64_t wrong = 0;
  for (int64_t first = 0; first < Shape::outHeight; first += kRows) {
    const int64_t end = first + kRows < Shape::outHeight ? first + kRows : int64_t(Shape::outHeight);
    const int64_t above = first * Shape::strideH - Shape::padTop, top = above > 0 ? above : 0,
                  below = (end - 1) * Shape::strideH - Shape::padTop + Shape::kernelH,
                  bottom = below < Shape::height ? below : int64_t(Shape::height);
    const auto shape = atMost<kRows>(TileShape<Shape>{{}, bottom - top, end - first, top - above});
    const TA *in = storage<TA, 0>() + top * Shape::in.row;
    const Rescale<Case::low, Case::high> rescale{Case::outZero};
    const int32_t *words = storage<int32_t, 5>();
    if constexpr (Case::isDepthwise)
      dualDepthwise(shape, in, Case::inZero, words, row, storage<int16_t, 7>(), 0, end - first, rescale);
    else
      dualConv(shape, in, Case::inZero, words, row, storage<int16_t, 7>(), int32_t(Shape::filters + 3) / 4,
               kRule == Rule::Proved ? int32_t(Shape::filters / 4) : 0, 0, end - first, rescale);
    for (int64_t i = 0; i < (end - first) * Shape::out.row; ++i)
      wrong += row[i] != whole[first * Shape::out.row + i];
  }
  return wrong;
}

/// M rows of K bytes times N filters.
template <int M, int K, int N, class TA, Rule kRule>
struct MatmulCase {
  static constexpr int32_t outZero = -7;

  [[gnu::noinline]] static void run(const TA *in, const int32_t *words, int32_t groups, int8_t *out) {
    if constexpr (kRule == Rule::Lambda)
      dualMatmul(in, K + 1, words, out, N + 2, M, K, groups, 0,
                 [](int32_t v, int64_t i, int64_t j) { return int32_t(int8_t(uint32_t(v) ^ uint32_t(5 * i + j))); });
    else if constexpr (kRule == Rule::Then)
      dualMatmul(in, K + 1, words, out, N + 2, M, K, groups, 0,
                 rescaledThen(Rescale<-128, 127>{outZero},
                              [=](int32_t v, int64_t i, int64_t j) { return int8_t(v ^ out[i * (N + 2) + j]); }));
    else
      dualMatmul(in, K + 1, words, out, N + 2, M, K, groups, kRule == Rule::Proved ? groups : 0,
                 Rescale<-128, 127>{outZero});
  }
  static int32_t wanted(int32_t sum, int32_t factor, int i, int j) {
    if (kRule == Rule::Lambda)
      return int8_t(uint32_t(sum) ^ uint32_t(5 * i + j));
    const double x = double(sum) * double(factor) / 4294967296.0;
    const int64_t down = int64_t(x) - (x < double(int64_t(x)) ? 1 : 0);
    const int64_t rounded = (x - double(down) >= 0.5 ? down + 1 : down) + outZero;
    const auto element = int32_t(rounded < -128 ? -128 : rounded > 127 ? 127 : rounded);
    return kRule == Rule::Then ? int8_t(element ^ kBefore) : element;
  }

  static Outcome check() {
    Bytes random;
    const TA *in = random.fill<TA, 0>(M * (K + 1));
    int8_t *filter = random.fill<int8_t, 1>(N * K);
    const auto weight = [&](int j, int k) -> int32_t { return filter[j * K + k] == -128 ? -127 : filter[j * K + k]; };
    int32_t *bias = random.fill<int32_t, 2>(N), *factors = random.fill<int32_t, 3>(N), *words = storage<int32_t, 5>();
    for (int j = 0; j < N; ++j) {
      bias[j] = bias[j] % 4000 - 2000;
      factors[j] = (factors[j] & 0x3fffff) * 16 + 1048576;
    }
    const int32_t groups = (N + 7) / 8;
    int32_t *next = words;
    for (int g = 0; g < N; g += 8) {
      for (int j = g; j < g + 8; j += 2) {
        const uint32_t first = uint32_t(j < N ? bias[j] : 0), second = uint32_t(j + 1 < N ? bias[j + 1] : 0);
        *next++ = int32_t(first);
        *next++ = int32_t(first + 256u * second);
      }
      const auto at = [&](int j, int k) -> int32_t { return j < N && k < K ? weight(j, k) : 0; };
      for (int k = 0; k < K; k += 4)
        for (int odd = 0; odd < 2; ++odd)
          for (int j = g; j < g + 8; j += 2)
            *next++ =
                halves(256 * at(j + 1, k + odd) + at(j, k + odd), 256 * at(j + 1, k + odd + 2) + at(j, k + odd + 2));
      for (int j = g; j < g + 8 && kRule != Rule::Lambda; ++j)
        *next++ = j >= N ? 0 : isProved<kRule>(j) ? factors[j] : definedWord(float(factors[j]) / 4294967296.0f);
      const int32_t empty = kRule == Rule::Lambda ? -1 : g;
      for (int j = g; j < g + 8; j += 2)
        *next++ = halves(j < N ? j : empty, j + 1 < N ? j + 1 : empty);
    }
    int8_t *out = storage<int8_t, 6>();
    for (int i = 0; i < M * (N + 2); ++i)
      out[i] = kBefore;
    Outcome outcome;
    const uint32_t start = clock();
    run(in, words, groups, out);
    outcome.time = clock() - start;
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < N; ++j) {
        int32_t sum = bias[j];
        for (int k = 0; k < K; ++k)
          sum += weight(j, k) * in[i * (K + 1) + k];
        outcome.wrong += wanted(sum, factors[j], i, j) != out[i * (N + 2) + j];
      }
    return outcome;
  }
};

} // namespace sinter::test
