// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures of other sizes, to the byte as Pillow up to 12 (Image.resize, libImaging/Resample.c) has them, by which
// transformers' processors resize: each axis by itself, columns first, weights of 22 binary places, rounded to bytes
// between the two. Pillow 13 begins with the axis that leaves less to do, which may change a byte by 1.
#pragma once

#include <cstdint>
#include <vector>

namespace sinter {

/// Rows of pixels of three bytes: red, green, blue.
struct Picture {
  int64_t rows = 0, columns = 0;
  std::vector<uint8_t> pixels;
};

/// By Pillow's numbers, which preprocessor_config.json has as `resample`.
enum class PictureFilter { Nearest, Lanczos, Bilinear, Bicubic, Box, Hamming };

/// `rows` and `columns` are positive.
Picture resampled(const Picture &picture, int64_t rows, int64_t columns, PictureFilter filter);

} // namespace sinter
