// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Run lengths of Windows bitmaps with a palette: pixels that no run reaches have the first color.
#pragma once

#include "templates/images/picture.h"

namespace sinter {
namespace {

struct BmpPalette {
  uint8_t rgb[256][3] = {};
  uint32_t count = 0;

  /// Numbers behind the palette's end are black.
  void put(const Picture &picture, int64_t y, int64_t x, uint8_t number) const {
    picture.put(y, x, rgb[number][0], rgb[number][1], rgb[number][2]);
  }
};

/// Where the next pixel goes: rows count in the order of the stream.
struct BmpRunPlace {
  const Picture &picture;
  const BmpPalette &palette;
  bool isTopDown;
  int64_t row = 0, x = 0;

  void put(uint8_t number) {
    if (row < picture.height() && x < picture.width())
      palette.put(picture, isTopDown ? row : picture.height() - 1 - row, x, number);
    ++x;
  }
};

/// False where the stream ends before its end mark.
[[maybe_unused]] static inline bool readBmpRuns(const Encoded &in, size_t at, bool isNibbles, bool isTopDown,
                                                const BmpPalette &palette, const Picture &picture) {
  for (int64_t y = 0; y < picture.height(); ++y)
    for (int64_t x = 0; x < picture.width(); ++x)
      palette.put(picture, y, x, 0);
  BmpRunPlace place{picture, palette, isTopDown};
  // Pixel i of a run whose bytes begin at `begin`.
  const auto number = [&](size_t begin, size_t i) {
    if (!isNibbles)
      return in.bytes[begin + i];
    const uint8_t pair = in.bytes[begin + i / 2];
    return static_cast<uint8_t>(i % 2 == 0 ? pair >> 4 : pair & 15);
  };
  for (; in.has(at, 2) && place.row <= picture.height(); at += 2) {
    const size_t count = in.bytes[at], what = in.bytes[at + 1];
    if (count > 0) {
      for (size_t i = 0; i < count; ++i)
        place.put(number(at + 1, isNibbles ? i % 2 : 0));
    } else if (what == 0) { // the end of a row
      ++place.row;
      place.x = 0;
    } else if (what == 1) { // the end
      return true;
    } else if (what == 2) { // a step to the right and on
      if (!in.has(at, 4))
        return false;
      place.x += in.bytes[at + 2];
      place.row += in.bytes[at + 3];
      at += 2;
    } else { // that many pixels as they are, filled up to words
      const size_t bytes = isNibbles ? (what + 1) / 2 : what;
      if (!in.has(at + 2, bytes))
        return false;
      for (size_t i = 0; i < what; ++i)
        place.put(number(at + 2, i));
      at += (bytes + 1) / 2 * 2;
    }
  }
  return false;
}

} // namespace
} // namespace sinter
