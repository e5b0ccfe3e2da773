// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of few pixels whose windows are one row of memory each: a pixel's channels (1x1), or a whole picture
// (layers that see all of their map, as squeeze and excite and classifiers have). What is there to do is to read the
// filters: row_products.h, with its grid and block for m = images * outputs, n = filters.
#pragma once

#include "templates/cuda/conv_shape.h"
#include "templates/cuda/row_products.h"

namespace sinter::cuda {
namespace {

/// `epilogue(sum, image, filter, y, x)`; out: pixels, ldc apart. Filters [filter][kernel row][kernel column][channel]:
/// ldb apart.
template <class Tile, int kPack, class T, class TB, class TC, class Epilogue>
SINTER_DEVICE void rowConv(const T *in, const TB *filters, int ldb, TC *out, int ldc, const ConvShape &shape, int n,
                           Epilogue epilogue) {
  const int apart = shape.isPointwise() ? shape.pixel() : shape.height * shape.width * shape.channels;
  rowProducts<Tile, kPack>(in, apart, filters, ldb, out, ldc, shape.rows(), n, shape.depth(),
                           OfPixels<Epilogue>{shape, epilogue});
}

} // namespace
} // namespace sinter::cuda
