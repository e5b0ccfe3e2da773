// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows normalised in registers: a warp has one or several rows, a lane every 32nd element of each, of halves every
// 32nd run of eight, as the numbers that are added up. Mean, squared differences and scale are found here for a norm
// alone (row_of_warp.h) and for one in front of products (tile_norm_gemm.h), so that both give equal bits. Each element
// costs few instructions: conditions on places vanish where the compiler prints the length of rows.
#pragma once

#include "runtime-lite/convert.h"
#include "templates/cuda/device_memory.h"
#include "templates/cuda/device_numbers.h"
#include "templates/cuda/warp_reduce.h"
#include "templates/norm/norm.h"

namespace sinter::cuda {
namespace {

/// Neighbours in a row that one lane has: as many halves as a load brings, else one element.
template <class T>
constexpr int kLaneRun = sizeof(T) == 2 ? 8 : 1;
/// Whether rows of n elements can be read and written by such runs; of several rows `row` is all addresses, or'ed.
template <class T, class Size>
SINTER_DEVICE bool hasWholeRuns(uintptr_t row, Size stride, Size n) {
  return stride == 1 && n % kLaneRun<T> == 0 && row % (sizeof(T) * kLaneRun<T>) == 0;
}
template <class T, class Size>
SINTER_DEVICE bool hasWholeRuns(const T *row, Size stride, Size n) {
  return hasWholeRuns<T>(reinterpret_cast<uintptr_t>(row), stride, n);
}

/// A run to a row of n elements, from element `first` on; what is behind the row's end is left out.
template <class T, int kRun, class Size>
SINTER_DEVICE void storeRun(const Pack<T, kRun> &run, T *row, Size stride, Size n, Size first, bool isWhole) {
  if (isWhole) {
    *reinterpret_cast<Pack<T, kRun> *>(row + first) = run;
    return;
  }
  SINTER_DEVICE_UNROLL
  for (int u = 0; u < kRun; ++u)
    if (first + u < n)
      row[(first + u) * stride] = run.at[u];
}

/// Whether element u of the lane's run i is one of n.
template <class T, class Size>
SINTER_DEVICE bool isInRow(Size n, int i, int u) {
  constexpr int kRun = kLaneRun<T>, kStep = kWarp * kRun;
  const Size first = laneIndex() * kRun + i * kStep;
  if (i * kStep >= n) // of no lane, or of all: known when compiled, where n is
    return false;
  return (i + 1) * kStep <= n || (n % kRun == 0 ? first < n : first + u < n);
}

/// A run of kRun elements of S as it is in memory, in words where it has several: halves of one word cost nothing to
/// take apart.
template <class S, int kRun>
struct HeldRun {
  static constexpr int kLoad = int(16 / sizeof(S));
  static_assert(kRun % kLoad == 0);
  Chunk at[kRun / kLoad] = {};

  SINTER_DEVICE void loadWhole(const S *from) {
    SINTER_DEVICE_UNROLL
    for (int c = 0; c < kRun / kLoad; ++c)
      at[c] = reinterpret_cast<const Chunk *>(from)[c];
  }
  /// take(u) of each.
  template <class Take>
  SINTER_DEVICE void gather(const Take &take) {
    SINTER_DEVICE_UNROLL
    for (int c = 0; c < kRun / kLoad; ++c) {
      Pack<S, kLoad> pack{};
      SINTER_DEVICE_UNROLL
      for (int u = 0; u < kLoad; ++u)
        pack.at[u] = take(c * kLoad + u);
      at[c] = chunkOf(pack);
    }
  }
  template <class E>
  SINTER_DEVICE E get(int u) const {
    const Chunk &chunk = at[u / kLoad];
    if constexpr (sizeof(S) == 2)
      return E(u % 2 == 0 ? lowOfPair<S>(chunk.at[u / 2 % 4]) : highOfPair<S>(chunk.at[u / 2 % 4]));
    else
      return convert<E>(bitCast<Pack<S, kLoad>>(chunk).at[u % kLoad]);
  }
};
template <class S>
struct HeldRun<S, 1> {
  static constexpr int kLoad = 1;
  S at = {};

  SINTER_DEVICE void loadWhole(const S *from) { at = *from; }
  template <class Take>
  SINTER_DEVICE void gather(const Take &take) {
    at = take(0);
  }
  template <class E>
  SINTER_DEVICE E get(int) const {
    return convert<E>(at);
  }
};

/// The lane's kHeld runs of each of kRows rows, all on their way before the first is used. T: what rows consist of, by
/// which S, of the same numbers of elements, is shared among lanes. isWhole: runs are aligned, and none is cut.
template <class T, int kHeld, int kRows, class S, class Size>
SINTER_DEVICE void loadRuns(HeldRun<S, kLaneRun<T>> (&runs)[kHeld][kRows], const S *const (&rows)[kRows], Size stride,
                            Size n, bool isWhole) {
  constexpr int kRun = kLaneRun<T>, kStep = kWarp * kRun;
  const Size own = laneIndex() * kRun;
  if (isWhole) {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kHeld; ++i)
      if (isInRow<T>(n, i, 0)) {
        SINTER_DEVICE_UNROLL
        for (int r = 0; r < kRows; ++r)
          runs[i][r].loadWhole(rows[r] + own + i * kStep);
      }
    return;
  }
  SINTER_DEVICE_UNROLL
  for (int i = 0; i < kHeld; ++i) {
    SINTER_DEVICE_UNROLL
    for (int r = 0; r < kRows; ++r)
      runs[i][r].gather([&](int u) { return isInRow<T>(n, i, u) ? rows[r][(own + i * kStep + u) * stride] : S{}; });
  }
}

/// The lane's elements of a vector that all rows share.
template <class S, class T, int kHeld>
struct HeldVector {
  HeldRun<S, kLaneRun<T>> at[kHeld][1];

  template <class Size>
  SINTER_DEVICE void load(const S *from, Size stride, Size n) {
    constexpr uintptr_t kBytes = HeldRun<S, kLaneRun<T>>::kLoad * sizeof(S);
    const bool isWhole = stride == 1 && n % kLaneRun<T> == 0 && reinterpret_cast<uintptr_t>(from) % kBytes == 0;
    loadRuns<T>(at, {from}, stride, n, isWhole);
  }
  template <class E>
  SINTER_DEVICE E get(int i, int u) const {
    return at[i][0].template get<E>(u);
  }
};

/// What is done to an element of a normalised row: by its number, or to those that a lane holds.
template <class S>
struct NormScale {
  const S *scale;
  int64_t stride = 1;
  template <class E>
  SINTER_DEVICE E operator()(E v, int64_t j) const {
    return E(v * convert<E>(scale[j * stride]));
  }
  template <class T, int kHeld>
  struct Held {
    HeldVector<S, T, kHeld> scale;
    template <class E>
    SINTER_DEVICE E operator()(E v, int i, int u) const {
      return E(v * scale.template get<E>(i, u));
    }
  };
  template <class T, int kHeld, class Size>
  SINTER_DEVICE auto held(Size n) const {
    Held<T, kHeld> all;
    all.scale.load(scale, Size(stride), n);
    return all;
  }
};
template <class S>
struct NormScaleShift {
  const S *scale, *bias;
  int64_t stride = 1, biasStride = 1;
  template <class E>
  SINTER_DEVICE E operator()(E v, int64_t j) const {
    return E(sinter::fma(v, convert<E>(scale[j * stride]), convert<E>(bias[j * biasStride])));
  }
  template <class T, int kHeld>
  struct Held {
    HeldVector<S, T, kHeld> scale, bias;
    template <class E>
    SINTER_DEVICE E operator()(E v, int i, int u) const {
      return E(sinter::fma(v, scale.template get<E>(i, u), bias.template get<E>(i, u)));
    }
  };
  template <class T, int kHeld, class Size>
  SINTER_DEVICE auto held(Size n) const {
    Held<T, kHeld> all;
    all.scale.load(scale, Size(stride), n);
    all.bias.load(bias, Size(biasStride), n);
    return all;
  }
};

/// What squared differences, divided by their count, become.
SINTER_DEVICE float normScale(float variance) { return cuda::rsqrt(variance); }
SINTER_DEVICE double normScale(double variance) { return sinter::rsqrt(variance); }

/// The lane's part of kRows rows of up to kHeld * 32 runs.
template <class T, int kRows, int kHeld>
class LaneRuns {
public:
  using E = StatisticsType<T>;
  static constexpr int kRun = kLaneRun<T>, kStep = kWarp * kRun;
  using Run = Pack<T, kRun>;

  /// isWhole: hasWholeRuns of all rows.
  template <class Size>
  SINTER_DEVICE void load(const T *const (&rows)[kRows], Size stride, Size n, bool isWhole) {
    HeldRun<T, kRun> runs[kHeld][kRows];
    loadRuns<T>(runs, rows, stride, n, isWhole);
    each([&](int i, int u, int r) { at[i][u][r] = runs[i][r].template get<E>(u); });
  }

  /// Differences from the mean, or elements where rows are not centered, in units of their root mean square.
  template <class Size>
  SINTER_DEVICE void normalise(Size n, bool isCentered, E epsilon) {
    const E share = E(1) / E(n);
    if (isCentered) {
      E mean[kRows][kChains] = {};
      each([&](int i, int u, int r) {
        if (isInRow<T>(n, i, u))
          mean[r][u % kChains] += at[i][u][r];
      });
      combine(mean);
      SINTER_DEVICE_UNROLL
      for (int r = 0; r < kRows; ++r)
        mean[r][0] *= share;
      each([&](int i, int u, int r) { at[i][u][r] -= mean[r][0]; });
    }
    E scale[kRows][kChains] = {};
    each([&](int i, int u, int r) {
      if (isInRow<T>(n, i, u))
        scale[r][u % kChains] = sinter::fma(at[i][u][r], at[i][u][r], scale[r][u % kChains]);
    });
    combine(scale);
    SINTER_DEVICE_UNROLL
    for (int r = 0; r < kRows; ++r)
      scale[r][0] = normScale(E(scale[r][0] * share + epsilon));
    each([&](int i, int u, int r) { at[i][u][r] *= scale[r][0]; });
  }

  /// at = f(at, i, u)
  template <class F>
  SINTER_DEVICE void finish(const F &f) {
    each([&](int i, int u, int r) { at[i][u][r] = f(at[i][u][r], i, u); });
  }

  /// Run i of row r, rounded to T.
  SINTER_DEVICE Run run(int i, int r) const {
    if constexpr (sizeof(T) == 2) {
      Chunk words;
      SINTER_DEVICE_UNROLL
      for (int u = 0; u < kRun; u += 2)
        words.at[u / 2] = packPair<T>(at[i][u][r], at[i][u + 1][r]);
      return bitCast<Run>(words);
    } else {
      return {convert<T>(at[i][0][r])};
    }
  }

private:
  /// Sums of a row that grow beside each other, since each addition waits for the one before.
  static constexpr int kChains = kRun % 2 == 0 ? 2 : 1;

  /// Row by row for each element, for the same reason.
  template <class F>
  static SINTER_DEVICE void each(const F &f) {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kHeld; ++i) {
      SINTER_DEVICE_UNROLL
      for (int u = 0; u < kRun; ++u) {
        SINTER_DEVICE_UNROLL
        for (int r = 0; r < kRows; ++r)
          f(i, u, r);
      }
    }
  }
  /// The sums of all lanes, in sums[r][0] of each.
  static SINTER_DEVICE void combine(E (&sums)[kRows][kChains]) {
    SINTER_DEVICE_UNROLL
    for (int r = 0; r < kRows; ++r)
      if constexpr (kChains == 2)
        sums[r][0] += sums[r][1];
    SINTER_DEVICE_UNROLL
    for (int step = kWarp / 2; step > 0; step /= 2) {
      SINTER_DEVICE_UNROLL
      for (int r = 0; r < kRows; ++r)
        sums[r][0] += shuffleAny(sums[r][0], step);
    }
  }

  E at[kHeld][kRun][kRows];
};

} // namespace
} // namespace sinter::cuda
