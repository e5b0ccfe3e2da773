// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Against what Pillow 12.3 makes of the same picture by Image.resize.
#include "driver/resample.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {
Picture example() {
  Picture picture{7, 5, {}};
  for (int i = 0; i < 7 * 5 * 3; ++i)
    picture.pixels.push_back(static_cast<uint8_t>(i * 89 + i * i * 7));
  return picture;
}

/// FNV-1a.
uint32_t hashOf(const Picture &picture) {
  uint32_t hash = 2166136261U;
  for (uint8_t byte : picture.pixels)
    hash = (hash ^ byte) * 16777619U;
  return hash;
}

struct Known {
  PictureFilter filter;
  uint32_t smaller, larger, across, along; ///< 3 x 4, 9 x 11, 7 x 2, 20 x 5
  std::vector<uint8_t> least;              ///< 2 x 2
};
} // namespace

TEST_CASE("pictures are resized as Pillow does") {
  const Known all[] = {
      {PictureFilter::Nearest,
       0x2cd390cb,
       0x10417e1d,
       0x5ffa1b7f,
       0xe4ee3651,
       {30, 122, 228, 24, 200, 134, 122, 30, 208, 36, 28, 34}},
      {PictureFilter::Lanczos,
       0xc9440a6f,
       0x5a2e4dcb,
       0x58a847eb,
       0x3bfb0cd4,
       {67, 143, 153, 103, 118, 84, 133, 81, 136, 118, 73, 98}},
      {PictureFilter::Bilinear,
       0xdd9db0e0,
       0x03219ae0,
       0x60af4712,
       0xe7e03c3a,
       {76, 133, 150, 98, 119, 90, 130, 85, 139, 113, 78, 99}},
      {PictureFilter::Bicubic,
       0xfa1bc5b5,
       0xa51c1091,
       0x40ff2124,
       0x3593dd24,
       {71, 137, 153, 101, 119, 86, 133, 83, 139, 115, 75, 98}},
      {PictureFilter::Box,
       0x668fe9be,
       0x10417e1d,
       0xd78d9ac4,
       0xe4ee3651,
       {86, 133, 152, 97, 111, 75, 133, 70, 134, 114, 84, 111}},
      {PictureFilter::Hamming,
       0xe9d69e5a,
       0x1e0bc701,
       0x8bc7d8a0,
       0xf7889935,
       {69, 131, 160, 92, 125, 83, 137, 86, 147, 103, 75, 97}},
  };
  for (const Known &known : all) {
    CAPTURE(static_cast<int>(known.filter));
    CHECK(resampled(example(), 2, 2, known.filter).pixels == known.least);
    CHECK(hashOf(resampled(example(), 3, 4, known.filter)) == known.smaller);
    CHECK(hashOf(resampled(example(), 9, 11, known.filter)) == known.larger);
    CHECK(hashOf(resampled(example(), 7, 2, known.filter)) == known.across);
    CHECK(hashOf(resampled(example(), 20, 5, known.filter)) == known.along);
  }
}
