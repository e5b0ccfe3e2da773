// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs the weights of convolutions, [filters][channels per group][kernelH][kernelW], for each of the kernels. Runs in
// the compiler, on the bytes of a weight; plain loops, any element type.
#pragma once

#include <stdint.h>

namespace sinter {

/// The elements of weights packed for conv.h and conv_planar.h: whole panels for each group.
inline int64_t convPackedSize(int64_t filters, int64_t channels, int64_t taps, int64_t groups, int64_t nr) {
  return groups * ((filters / groups + nr - 1) / nr * nr) * taps * channels;
}

/// For conv.h: out[group][panel][tap][channel][filter in panel]; `channels` is per group. Zero behind a group's last
/// filter.
template <class T>
void convPack(const T *w, int64_t filters, int64_t channels, int64_t taps, int64_t groups, int64_t nr, T *out) {
  const int64_t perGroup = filters / groups;
  for (int64_t g = 0; g < groups; ++g)
    for (int64_t first = 0; first < perGroup; first += nr)
      for (int64_t tap = 0; tap < taps; ++tap)
        for (int64_t c = 0; c < channels; ++c)
          for (int64_t j = first; j < first + nr; ++j)
            *out++ = j < perGroup ? w[((g * perGroup + j) * channels + c) * taps + tap] : T{};
}

/// For conv_planar.h: out[group][panel][channel][tap][filter in panel].
template <class T>
void convPackPlanar(const T *w, int64_t filters, int64_t channels, int64_t taps, int64_t groups, int64_t nr, T *out) {
  const int64_t perGroup = filters / groups;
  for (int64_t g = 0; g < groups; ++g)
    for (int64_t first = 0; first < perGroup; first += nr)
      for (int64_t c = 0; c < channels; ++c)
        for (int64_t tap = 0; tap < taps; ++tap)
          for (int64_t j = first; j < first + nr; ++j)
            *out++ = j < perGroup ? w[((g * perGroup + j) * channels + c) * taps + tap] : T{};
}

/// For depthwise.h: out[tap][channel], from [channel][1][kernelH][kernelW].
template <class T>
void depthwisePack(const T *w, int64_t channels, int64_t taps, T *out) {
  for (int64_t tap = 0; tap < taps; ++tap)
    for (int64_t c = 0; c < channels; ++c)
      *out++ = w[c * taps + tap];
}

} // namespace sinter
