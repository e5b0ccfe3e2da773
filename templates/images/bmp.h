// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows bitmaps: headers of OS/2 1 and of Windows 3 to 5, 1 to 32 bits a pixel, masks, run lengths (bmp_runs.h).
#pragma once

#include "runtime-lite/index.h"
#include "templates/images/bmp_runs.h"

namespace sinter {
namespace {

/// The head, checked as far as it does not depend on what is done with the pixels.
struct BmpHead {
  enum : uint32_t { Plain, Runs8, Runs4, Masks, MasksWithAlpha = 6 };
  PictureSize size;
  bool isTopDown = false;
  uint32_t bits = 0, compression = Plain;
  uint32_t masks[3] = {}; ///< of red, green, blue
  size_t pixels = 0;      ///< where they begin
  BmpPalette palette;
};

[[maybe_unused]] static inline bool readBmpPalette(const Encoded &in, size_t at, size_t entry, uint32_t colors,
                                                   BmpHead &head) {
  const uint32_t most = 1u << head.bits;
  head.palette.count = colors == 0 || colors > most ? most : colors;
  if (!in.has(at, head.palette.count * entry))
    return false;
  for (uint32_t i = 0; i < head.palette.count; ++i)
    for (size_t c = 0; c < 3; ++c)
      head.palette.rgb[i][c] = in.bytes[at + i * entry + 2 - c];
  return true;
}

[[maybe_unused]] static inline bool readBmpMasks(const Encoded &in, BmpHead &head) {
  constexpr size_t place = 54; // behind the first 40 bytes of the head, as part of it or not
  if (head.compression == BmpHead::Plain) {
    const bool isWide = head.bits != 16;
    for (uint32_t c = 0; c < 3; ++c)
      head.masks[c] = isWide ? 0xffu << (16 - 8 * c) : 0x1fu << (10 - 5 * c);
    return true;
  }
  if (!in.has(place, 12))
    return false;
  for (size_t c = 0; c < 3; ++c)
    head.masks[c] = in.little32(place + 4 * c);
  return true;
}

[[maybe_unused]] static inline bool readBmpHead(const Encoded &in, BmpHead &head) {
  if (!in.has(0, 26))
    return false;
  const uint32_t headBytes = in.little32(14);
  const bool isOld = headBytes == 12;
  uint32_t colors = 0;
  head.pixels = in.little32(10);
  if (isOld) {
    head.size = {in.little16(20), in.little16(18)};
    head.bits = in.little16(24);
  } else {
    if (headBytes < 40 || !in.has(14, headBytes))
      return false;
    const int64_t height = static_cast<int32_t>(in.little32(22));
    head.isTopDown = height < 0;
    head.size = {height < 0 ? -height : height, static_cast<int32_t>(in.little32(18))};
    head.bits = in.little16(28);
    head.compression = in.little32(30);
    colors = in.little32(46);
  }
  if (head.size.height <= 0 || head.size.width <= 0)
    return false;
  const bool hasMasks = head.compression == BmpHead::Masks || head.compression == BmpHead::MasksWithAlpha;
  if (head.bits == 16 || head.bits == 24 || head.bits == 32)
    return (head.compression == BmpHead::Plain || (hasMasks && head.bits != 24)) && readBmpMasks(in, head);
  const bool hasRuns =
      (head.compression == BmpHead::Runs8 && head.bits == 8) || (head.compression == BmpHead::Runs4 && head.bits == 4);
  if ((head.bits != 1 && head.bits != 4 && head.bits != 8) || (head.compression != BmpHead::Plain && !hasRuns))
    return false;
  return readBmpPalette(in, 14 + headBytes, isOld ? 3 : 4, colors, head);
}

/// The bits under a mask, as a share of the most that they can be.
[[maybe_unused]] static inline uint8_t underMask(uint32_t pixel, uint32_t mask) {
  if (mask == 0)
    return 0;
  while ((mask & 1) == 0) {
    mask >>= 1;
    pixel >>= 1;
  }
  return static_cast<uint8_t>(uint64_t(pixel & mask) * 255 / mask);
}

[[maybe_unused]] static inline void putBmpRow(const BmpHead &head, const uint8_t *row, int64_t y,
                                              const Picture &picture) {
  for (int64_t x = 0; x < picture.width(); ++x) {
    if (head.bits <= 8) {
      const uint32_t perByte = 8 / head.bits;
      const uint32_t shift = 8 - head.bits * (static_cast<uint32_t>(x % perByte) + 1);
      head.palette.put(picture, y, x, static_cast<uint8_t>((row[x / perByte] >> shift) & ((1u << head.bits) - 1)));
      continue;
    }
    uint32_t pixel = 0;
    const int64_t bytes = head.bits / 8;
    for (int64_t i = 0; i < bytes; ++i)
      pixel |= static_cast<uint32_t>(row[x * bytes + i]) << (8 * i);
    picture.put(y, x, underMask(pixel, head.masks[0]), underMask(pixel, head.masks[1]),
                underMask(pixel, head.masks[2]));
  }
}

/// Finds the size, and fills the picture if there is one.
[[maybe_unused]] static inline int readBmp(const Encoded &in, PictureSize &size, const Picture *picture) {
  BmpHead head;
  if (!readBmpHead(in, head))
    return kInvalidData;
  size = head.size;
  if (!picture)
    return 0;
  if (!picture->hasSize(size))
    return kInvalidData;
  if (head.compression == BmpHead::Runs8 || head.compression == BmpHead::Runs4)
    return readBmpRuns(in, head.pixels, head.compression == BmpHead::Runs4, head.isTopDown, head.palette, *picture)
               ? 0
               : kInvalidData;
  // Rows are filled up to four bytes; the last one may lack that.
  const uint64_t bits = static_cast<uint64_t>(size.width) * head.bits, used = (bits + 7) / 8,
                 stride = (bits + 31) / 32 * 4;
  for (int64_t row = 0; row < size.height; ++row) {
    const uint64_t at = head.pixels + static_cast<uint64_t>(row) * stride;
    if (at > in.size || !in.has(static_cast<size_t>(at), static_cast<size_t>(used)))
      return kInvalidData;
    putBmpRow(head, in.bytes + at, head.isTopDown ? row : size.height - 1 - row, *picture);
  }
  return 0;
}

} // namespace
} // namespace sinter
