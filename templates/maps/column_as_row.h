// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A map of one column, as signals of one dim are that stand along the height, seen as a map of one row: kernels whose
// tiles are pixels of a row then have whole ones.
#pragma once

#include "templates/maps/rows.h"

namespace sinter {
namespace {

template <class Shape>
SINTER_HOST_DEVICE constexpr bool isColumn() {
  if constexpr (kStaticMember<decltype(&Shape::channels)> && kStaticMember<decltype(&Shape::filters)> &&
                kStaticMember<decltype(&Shape::groups)> && kStaticMember<decltype(&Shape::width)> &&
                kStaticMember<decltype(&Shape::outWidth)> && kStaticMember<decltype(&Shape::height)> &&
                kStaticMember<decltype(&Shape::outHeight)> && kStaticMember<decltype(&Shape::kernelH)> &&
                kStaticMember<decltype(&Shape::kernelW)> && kStaticMember<decltype(&Shape::strideH)> &&
                kStaticMember<decltype(&Shape::dilationH)> && kStaticMember<decltype(&Shape::padTop)> &&
                kStaticMember<decltype(&Shape::padLeft)> && kStaticMember<decltype(&Shape::in)> &&
                kStaticMember<decltype(&Shape::out)> && !kHasSlices<Shape> && !kHasSpread<Shape>)
    // Padded at the left, the only window lies beside the column and meets nothing.
    return Shape::width == 1 && Shape::outWidth == 1 && Shape::kernelW == 1 && Shape::padLeft == 0 && Shape::height > 1;
  else
    return false;
}
/// Whether a shape is known to be one.
template <class Shape>
constexpr bool kIsColumn = isColumn<Shape>();

/// Its columns are the rows of `Shape`.
template <class Shape>
struct ColumnAsRow {
  int64_t batch;
  static constexpr int64_t channels = Shape::channels, filters = Shape::filters, groups = Shape::groups;
  static constexpr int64_t height = 1, width = Shape::height, outHeight = 1, outWidth = Shape::outHeight;
  static constexpr int64_t kernelH = 1, strideH = 1, dilationH = 1, padTop = 0;
  static constexpr int64_t kernelW = Shape::kernelH, strideW = Shape::strideH, dilationW = Shape::dilationH,
                           padLeft = Shape::padTop;
  static constexpr ImageLayout in = {Shape::in.block, Shape::in.batch, Shape::in.plane, 0, Shape::in.row},
                               out = {Shape::out.block, Shape::out.batch, Shape::out.plane, 0, Shape::out.row};
  SINTER_INLINE_MEMBER constexpr explicit ColumnAsRow(const Shape &s) : batch(s.batch) {}
};

} // namespace
} // namespace sinter
