// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the kernels over images see a tensor: strides of a layout in channel blocks, which NHWC (one block of all
// channels) and NCHW (blocks of one) are ends of; and the sizes of a convolution or pool.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

/// Element (n, c, h, w) lies at n * batch + c / block * plane + h * row + w * pixel + c % block; one of a volume, which
/// has d slices of rows, d * slice behind that.
struct ImageLayout {
  int64_t block, batch, plane, row, pixel, slice = 0;
};
/// Dense [N][C / block][D][H][W][block], the last block filled up; block = c gives NHWC, 1 NCHW.
SINTER_INLINE constexpr ImageLayout blockedLayout(int64_t c, int64_t h, int64_t w, int64_t block, int64_t d = 1) {
  return {block, (c + block - 1) / block * d * h * w * block, d * h * w * block, w * block, block, h * w * block};
}
template <class Layout>
SINTER_INLINE int64_t channelOffset(const Layout &l, int64_t c) {
  return l.block == 1 ? c * l.plane : c / l.block * l.plane + c % l.block;
}

/// The sizes of a two-dimensional convolution; one-dimensional: height, kernelH and outHeight 1. Kernels take any type
/// with these members: this one for run-time sizes, or one of their own in which members are static constexpr, to
/// specialise.
struct ConvShape {
  int64_t batch = 1, channels = 1, height = 1, width = 1;
  int64_t filters = 1, outHeight = 1, outWidth = 1;
  int64_t kernelH = 1, kernelW = 1, strideH = 1, strideW = 1, dilationH = 1, dilationW = 1;
  int64_t padTop = 0, padLeft = 0; // what lies beyond bottom and right follows from the output's size
  int64_t groups = 1;
  ImageLayout in = {}, out = {};
};

/// The same of three dims. Kernels that take volumes, too, see by these members that a shape is of one: rows.h.
struct VolumeShape : ConvShape {
  int64_t depth = 1, outDepth = 1, kernelD = 1, strideD = 1, dilationD = 1, padFront = 0;
};

/// The same of an input whose neighbours stand so many places apart, with zeros between. Strides are 1.
template <class Shape>
struct SpreadShape : Shape {
  int64_t spreadD = 1, spreadH = 1, spreadW = 1;
};

/// Whether all of a shape's members are constants of its type, or one of them.
template <class Shape>
constexpr bool kStaticShape = __is_empty(Shape);
template <class Member>
constexpr bool kStaticMember = false; // a pointer to member
template <class T>
constexpr bool kStaticMember<const T *> = true;

/// A shape whose output's height is known at run time only, but to be at most kRows: that of a row tile.
template <class Shape, int64_t kRows>
struct AtMost : Shape {};
template <int64_t kRows, class Shape>
SINTER_INLINE constexpr AtMost<Shape, kRows> atMost(const Shape &s) {
  return {s};
}
/// Rows of the output; 0 where nothing is known of them.
template <class Shape>
constexpr int64_t kMostRows = Shape{}.outHeight;
template <class Shape, int64_t kRows>
constexpr int64_t kMostRows<AtMost<Shape, kRows>> = kRows;

/// The output's width as a Fixed where the shape has it as a constant, else as int64_t.
template <class Shape>
SINTER_INLINE auto outWidthOf([[maybe_unused]] const Shape &s) {
  if constexpr (kStaticMember<decltype(&Shape::outWidth)>)
    return Fixed<Shape::outWidth>{};
  else
    return int64_t(s.outWidth);
}
/// Filters of a group behind whole vectors, where that is known and they lie beside each other in a block of the
/// output; else -1.
template <class Shape>
SINTER_HOST_DEVICE constexpr int64_t restOfFilters(int64_t lanes) {
  if constexpr (kStaticMember<decltype(&Shape::filters)> && kStaticMember<decltype(&Shape::groups)> &&
                kStaticMember<decltype(&Shape::out)>)
    return Shape::out.block % lanes == 0 && Shape::filters / Shape::groups % lanes == 0 ? 0
           : Shape::groups == 1 && (Shape::out.block % lanes == 0 || Shape::out.block >= Shape::filters)
               ? Shape::filters % lanes
               : -1;
  else
    return -1;
}

} // namespace
} // namespace sinter
