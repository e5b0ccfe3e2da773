// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights as compiler/passes/packing/pack_weights.cpp lays them out for gemm.h, conv.h, conv_planar.h and depthwise.h;
// and the tile that tests run these with.
#pragma once

#include "templates/panels/tile.h"

#include <stdint.h>
#include <vector>

namespace sinter::test {

#if SINTER_VECTOR_BYTES == 64
constexpr int kR = 14, kNR = 32;
#elif SINTER_VECTOR_BYTES == 32
constexpr int kR = 6, kNR = 16;
#elif defined(__aarch64__)
constexpr int kR = 9, kNR = 8;
#else
constexpr int kR = 8, kNR = 12;
#endif

/// [panel][p][column in panel] of B(p, j) = b[p * n + j], zeros behind n.
template <class T>
std::vector<T> packPanels(const std::vector<T> &b, int64_t n, int64_t k) {
  std::vector<T> out;
  for (int64_t first = 0; first < n; first += kNR)
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = first; j < first + kNR; ++j)
        out.push_back(j < n ? b[size_t(p * n + j)] : T{});
  return out;
}

/// [group][panel][tap][channel][filter in panel], or planar [group][panel][channel][tap][filter in panel], of
/// [filter][channel][tap]; `channels` is per group. Zeros behind a group's last filter.
template <class T>
std::vector<T> packFilters(const std::vector<T> &w, int64_t filters, int64_t channels, int64_t taps, int64_t groups,
                           bool planar, int64_t columns = kNR) {
  const int64_t perGroup = filters / groups, depth = channels * taps;
  std::vector<T> out;
  for (int64_t g = 0; g < groups; ++g)
    for (int64_t first = 0; first < perGroup; first += columns)
      for (int64_t i = 0; i < depth; ++i) {
        const int64_t at = planar ? i : i % channels * taps + i / channels;
        for (int64_t j = first; j < first + columns; ++j)
          out.push_back(j < perGroup ? w[size_t((g * perGroup + j) * depth + at)] : T{});
      }
  return out;
}

/// For int_tile.h's runs of `length` bytes: [panel][run][four][column in panel][4] of B(run, i, j) = at(run, i, j), or
/// eights. A rest of a run stands in the step that ends with it; of five to seven bytes, the last four end an eight.
template <class At>
std::vector<int8_t> packDot4(int64_t runs, int64_t length, int64_t n, At at, int64_t step = 4, int64_t columns = kNR) {
  std::vector<int8_t> out;
  for (int64_t first = 0; first < n; first += columns)
    for (int64_t run = 0; run < runs; ++run)
      for (int64_t q = 0; q < length; q += step)
        for (int64_t j = first; j < first + columns; ++j)
          for (int64_t i = 0; i < step; ++i) {
            const bool isRest = q + step > length && length > 4;
            const int64_t least = length > step ? q : i < 4 ? 0 : 4;
            const int64_t p = isRest && (length > step || i >= 4) ? length - step + i : q + i;
            out.push_back(j < n && p >= least && p < length ? at(run, p, j) : int8_t(0));
          }
  return out;
}

/// [tap][channel of the group][filter] of [filter][channel of the group][tap]; `depth`: channels of a group by taps.
template <class T>
std::vector<T> packDepthwise(const std::vector<T> &w, int64_t filters, int64_t depth, int64_t perGroup = 1,
                             int64_t perChannel = 1) {
  std::vector<T> out;
  for (int64_t i = 0; i < depth; ++i)
    for (int64_t m = 0; m < perChannel; ++m)
      for (int64_t channel = 0; channel < filters / perChannel; ++channel) {
        const int64_t k = (channel / perGroup * perChannel + m) * perGroup + channel % perGroup;
        out.push_back(w[size_t(k * depth + i % perGroup * (depth / perGroup) + i / perGroup)]);
      }
  return out;
}

} // namespace sinter::test
