// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution by its definition in double, and tensors in every layout with guards around them.
#pragma once

#include "templates/maps/image.h"
#include "ulp.h"

#include <doctest/doctest.h>
#include <iterator>

namespace sinter::test {

inline void setOutputSize(ConvShape &s, int64_t padBottom, int64_t padRight) {
  s.outHeight = (s.height + s.padTop + padBottom - (s.kernelH - 1) * s.dilationH - 1) / s.strideH + 1;
  s.outWidth = (s.width + s.padLeft + padRight - (s.kernelW - 1) * s.dilationW - 1) / s.strideW + 1;
}

/// A map is a volume of one slice.
inline VolumeShape volumeOf(const ConvShape &s) {
  VolumeShape volume;
  static_cast<ConvShape &>(volume) = s;
  return volume;
}
inline VolumeShape volumeOf(const VolumeShape &s) { return s; }

inline int64_t offsetOf(const ImageLayout &l, int64_t n, int64_t c, int64_t h, int64_t w, int64_t d = 0) {
  return n * l.batch + c / l.block * l.plane + d * l.slice + h * l.row + w * l.pixel + c % l.block;
}

/// Weights [filters][channels / groups][kernelD][kernelH][kernelW], input [n][c][d][h][w].
inline double convAt(const VolumeShape &s, const std::vector<float> &in, const std::vector<float> &w, int64_t n,
                     int64_t k, int64_t od, int64_t oh, int64_t ow) {
  const int64_t perGroup = s.channels / s.groups, first = k / (s.filters / s.groups) * perGroup;
  double sum = 0;
  for (int64_t c = 0; c < perGroup; ++c)
    for (int64_t kd = 0; kd < s.kernelD; ++kd)
      for (int64_t kh = 0; kh < s.kernelH; ++kh)
        for (int64_t kw = 0; kw < s.kernelW; ++kw) {
          const int64_t z = od * s.strideD - s.padFront + kd * s.dilationD,
                        y = oh * s.strideH - s.padTop + kh * s.dilationH,
                        x = ow * s.strideW - s.padLeft + kw * s.dilationW;
          if (z >= 0 && z < s.depth && y >= 0 && y < s.height && x >= 0 && x < s.width)
            sum += double(in[size_t((((n * s.channels + first + c) * s.depth + z) * s.height + y) * s.width + x)]) *
                   double(w[size_t((((k * perGroup + c) * s.kernelD + kd) * s.kernelH + kh) * s.kernelW + kw)]);
        }
  return sum;
}

/// NC(D)HW data in a layout; what no element occupies is NaN, so that a kernel that reads it is found out.
inline std::vector<float> inLayout(const std::vector<float> &nchw, const ImageLayout &l, int64_t n, int64_t c,
                                   int64_t h, int64_t w, int64_t d = 1) {
  std::vector<float> out(size_t(n * l.batch), NAN);
  size_t at = 0;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < c; ++j)
      for (int64_t z = 0; z < d; ++z)
        for (int64_t y = 0; y < h; ++y)
          for (int64_t x = 0; x < w; ++x)
            out[size_t(offsetOf(l, i, j, y, x, z))] = nchw[at++];
  return out;
}

/// out(n, k, d, h, w) == conv + bias[k], and -7 wherever there is no element.
inline void checkConv(const VolumeShape &s, const std::vector<float> &in, const std::vector<float> &w,
                      const std::vector<float> &bias, const std::vector<float> &out) {
  std::vector<bool> seen(out.size());
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t k = 0; k < s.filters; ++k)
      for (int64_t d = 0; d < s.outDepth; ++d)
        for (int64_t h = 0; h < s.outHeight; ++h)
          for (int64_t x = 0; x < s.outWidth; ++x) {
            const auto at = size_t(offsetOf(s.out, n, k, h, x, d));
            seen[at] = true;
            const double want = convAt(s, in, w, n, k, d, h, x) + double(bias[size_t(k)]);
            if (!(std::fabs(double(out[at]) - want) < 1e-4)) {
              CAPTURE(n);
              CAPTURE(k);
              CAPTURE(d);
              CAPTURE(h);
              CAPTURE(x);
              REQUIRE(double(out[at]) == want);
            }
          }
  for (size_t i = 0; i < out.size(); ++i)
    if (!seen[i])
      REQUIRE(out[i] == -7.0f);
}

/// Shapes that cross every path: tiles longer than rows, strides, dilations, uneven pads, groups, taps outside for all
/// pixels.
inline std::vector<ConvShape> convShapes() {
  std::vector<ConvShape> all;
  const auto add = [&](int64_t n, int64_t c, int64_t k, int64_t h, int64_t w, int64_t kh, int64_t kw, int64_t stride,
                       int64_t dilation, int64_t padTop, int64_t padLeft, int64_t padBottom, int64_t padRight,
                       int64_t groups) {
    ConvShape s;
    s.batch = n, s.channels = c, s.filters = k, s.height = h, s.width = w, s.kernelH = kh, s.kernelW = kw;
    s.strideH = s.strideW = stride, s.dilationH = s.dilationW = dilation, s.padTop = padTop, s.padLeft = padLeft;
    s.groups = groups;
    setOutputSize(s, padBottom, padRight);
    all.push_back(s);
  };
  add(1, 3, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1);
  add(2, 16, 33, 5, 7, 1, 1, 1, 1, 0, 0, 0, 0, 1);
  add(1, 17, 8, 6, 9, 1, 1, 2, 1, 0, 0, 0, 0, 1);
  add(1, 16, 32, 7, 7, 3, 3, 1, 1, 1, 1, 1, 1, 1);
  add(2, 5, 19, 9, 30, 3, 3, 1, 1, 1, 1, 1, 1, 1);
  add(1, 4, 7, 11, 31, 3, 3, 2, 1, 0, 0, 1, 1, 1);
  add(1, 3, 16, 23, 40, 7, 7, 2, 1, 3, 3, 3, 3, 1);
  add(1, 6, 9, 10, 33, 3, 3, 1, 4, 4, 4, 4, 4, 1);
  add(1, 6, 4, 4, 5, 3, 5, 1, 1, 2, 4, 2, 4, 1);
  add(1, 8, 12, 1, 50, 1, 9, 1, 2, 0, 8, 0, 0, 1);
  add(1, 12, 18, 6, 20, 3, 3, 1, 1, 1, 1, 1, 1, 3);
  add(1, 32, 32, 6, 15, 3, 3, 1, 1, 1, 1, 1, 1, 32);
  add(1, 70, 3, 4, 18, 3, 3, 1, 1, 1, 1, 1, 1, 1);
  add(1, 2, 2, 3, 3, 3, 3, 1, 1, 5, 5, 5, 5, 1);
  return all;
}

/// These as volumes: taps in depth that all lie inside, some, or none, with steps of their own.
inline std::vector<VolumeShape> volumeShapes() {
  std::vector<VolumeShape> all;
  const int64_t depths[][6] = {// depth, kernel, stride, dilation, pad in front and behind
                               {1, 1, 1, 1, 0, 0},
                               {3, 3, 1, 1, 1, 1},
                               {5, 2, 2, 1, 0, 0},
                               {4, 3, 1, 2, 3, 1}};
  size_t next = 0;
  for (const ConvShape &shape : convShapes()) {
    VolumeShape s = volumeOf(shape);
    const int64_t *d = depths[next++ % std::size(depths)];
    s.depth = d[0], s.kernelD = d[1], s.strideD = d[2], s.dilationD = d[3], s.padFront = d[4];
    s.outDepth = (d[0] + d[4] + d[5] - (d[1] - 1) * d[3] - 1) / d[2] + 1;
    all.push_back(s);
  }
  VolumeShape pointwise; // rows and slices read on behind each other
  pointwise.channels = 5, pointwise.filters = 35;
  pointwise.depth = pointwise.outDepth = 3, pointwise.height = pointwise.outHeight = 4;
  pointwise.width = pointwise.outWidth = 7;
  all.push_back(pointwise);
  return all;
}

} // namespace sinter::test
