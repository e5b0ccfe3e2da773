// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution straight from its definition: any number of spatial dims, any groups, any layout and element type,
// filters as [filter][channel][taps...] in memory. For what conv.h, conv_planar.h, depthwise.h and conv_rows.h do not
// take.
#pragma once

#include "templates/maps/rows.h"
#include "templates/panels/tile.h"

namespace sinter {
namespace {

struct ConvAxis {
  int64_t in, out, kernel, stride, dilation, pad;
  int64_t inStep, outStep; // elements between neighbours
  int64_t spread = 1;      // how many places apart the input's neighbours stand, with zeros between
};

template <int D>
struct ConvDirectShape {
  int64_t batch, channels, filters, groups;
  ImageLayout in, out; // rows and pixels: see axes
  ConvAxis axes[D];
  int64_t inputZero = 0, filterZero = 0; // of integers: taken off each element; reads outside contribute 0
};

/// The sum over the taps of axes d and on, of one channel. `w` walks over the taps in order.
template <class S, int D, int d, class TA, class TB>
SINTER_INLINE void convTaps(const ConvDirectShape<D> &s, const TA *in, const TB *&w, const int64_t *position,
                            bool inside, S &sum) {
  const ConvAxis &axis = s.axes[d];
  for (int64_t tap = 0; tap < axis.kernel; ++tap) {
    int64_t x = position[d] * axis.stride - axis.pad + tap * axis.dilation;
    if (axis.spread != 1)
      x = elementAt(x, axis.spread, axis.in);
    const bool valid = inside && x >= 0 && x < axis.in;
    if constexpr (d + 1 < D) {
      convTaps<S, D, d + 1>(s, valid ? in + x * axis.inStep : in, w, position, valid, sum);
    } else {
      if (valid)
        sum = multiplyAdd(lessZero<S>(in[x * axis.inStep], s.inputZero), lessZero<S>(*w, s.filterZero), sum);
      ++w;
    }
  }
}

/// S sums up; `epilogue(v, n, filter, positions...)`. Only output rows firstRow .. lastRow - 1, counted over all axes
/// but the last one.
template <class S, int D, class TA, class TB, class TC, class Epilogue>
SINTER_HOST_DEVICE void convDirect(const ConvDirectShape<D> &s, const TA *in, const TB *weights, TC *out,
                                   int64_t firstRow, int64_t lastRow, Epilogue epilogue) {
  const int64_t channels = s.channels / s.groups, filters = s.filters / s.groups;
  const int64_t width = s.axes[D - 1].out;
  int64_t taps = 1;
  for (const ConvAxis &axis : s.axes)
    taps *= axis.kernel;
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t k = 0; k < s.filters; ++k)
      for (int64_t i = firstRow * width; i < lastRow * width; ++i) {
        int64_t position[D];
        int64_t rest = i, at = n * s.out.batch + channelOffset(s.out, k);
        for (int d = D; d-- > 0; rest /= s.axes[d].out) {
          position[d] = rest % s.axes[d].out;
          at += position[d] * s.axes[d].outStep;
        }
        const TB *w = weights + k * channels * taps;
        S sum{};
        for (int64_t c = 0; c < channels; ++c)
          convTaps<S, D, 0>(s, in + n * s.in.batch + channelOffset(s.in, k / filters * channels + c), w, position, true,
                            sum);
        if constexpr (D == 1)
          store(out + at, epilogue(sum, n, k, position[0]));
        else if constexpr (D == 2)
          store(out + at, epilogue(sum, n, k, position[0], position[1]));
        else
          store(out + at, epilogue(sum, n, k, position[0], position[1], position[2]));
      }
}

} // namespace
} // namespace sinter
