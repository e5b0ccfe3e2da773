// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Portable bitmaps, graymaps and pixmaps (P1 to P6): as text or as bytes, samples of up to 16 bits, which become bytes
// as a share of the largest, rounded half to even.
#pragma once

#include "runtime-lite/index.h"
#include "templates/images/picture.h"

namespace sinter {
namespace {

struct PnmReader {
  const Encoded &in;
  size_t at;
  bool failed = false;

  static bool isSpace(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }
  static bool isDigit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

  /// White space, and comments, which go to the end of their line.
  void skipSpace() {
    while (in.has(at, 1) && (isSpace(in.bytes[at]) || in.bytes[at] == '#')) {
      if (in.bytes[at] == '#')
        while (in.has(at, 1) && in.bytes[at] != '\n' && in.bytes[at] != '\r')
          ++at;
      else
        ++at;
    }
  }
  /// A decimal number of at most nine digits.
  uint32_t number() {
    skipSpace();
    uint32_t value = 0;
    int digits = 0;
    for (; digits < 10 && in.has(at, 1) && isDigit(in.bytes[at]); ++digits)
      value = value * 10 + (in.bytes[at++] - uint32_t('0'));
    failed = failed || digits == 0 || digits == 10;
    return value;
  }
  /// A digit that needs no white space around it.
  uint32_t bit() {
    skipSpace();
    const bool isBit = in.has(at, 1) && (in.bytes[at] == '0' || in.bytes[at] == '1');
    failed = failed || !isBit;
    return isBit ? in.bytes[at++] - uint32_t('0') : 0;
  }
  uint32_t byte() {
    failed = failed || !in.has(at, 1);
    return failed ? 0 : in.bytes[at++];
  }
};

struct PnmHead {
  PictureSize size;
  uint32_t largest = 1;
  bool isText = false, isBitmap = false, hasColors = false;
};

[[maybe_unused]] static inline bool readPnmHead(PnmReader &reader, PnmHead &head) {
  const uint32_t kind = reader.in.bytes[1] - uint32_t('0'); // 1 to 6
  head.isText = kind <= 3;
  head.isBitmap = kind % 3 == 1;
  head.hasColors = kind % 3 == 0;
  head.size.width = reader.number();
  head.size.height = reader.number();
  if (!head.isBitmap)
    head.largest = reader.number();
  // Of bytes, the first one stands behind a single white space.
  if (!head.isText && (!reader.in.has(reader.at, 1) || !PnmReader::isSpace(reader.in.bytes[reader.at++])))
    return false;
  return !reader.failed && head.size.width > 0 && head.size.height > 0 && head.largest > 0 && head.largest < 65536;
}

/// A sample as a byte.
[[maybe_unused]] static inline uint8_t readPnmSample(PnmReader &reader, const PnmHead &head) {
  uint32_t value = 0;
  if (head.isText) {
    value = reader.number();
  } else {
    value = reader.byte();
    if (head.largest > 255)
      value = value << 8 | reader.byte();
  }
  if (value > head.largest) {
    reader.failed = true;
    return 0;
  }
  const uint32_t twice = 2 * 255 * value, quotient = twice / (2 * head.largest), rest = twice % (2 * head.largest);
  return static_cast<uint8_t>(quotient + (rest > head.largest || (rest == head.largest && quotient % 2 == 1)));
}

[[maybe_unused]] static inline void readPnmBits(PnmReader &reader, const PnmHead &head, int64_t y,
                                                const Picture &picture) {
  uint32_t held = 0;
  for (int64_t x = 0; x < picture.width(); ++x) {
    if (!head.isText && x % 8 == 0)
      held = reader.byte();
    const uint32_t isBlack = head.isText ? reader.bit() : held >> (7 - x % 8) & 1;
    picture.putGray(y, x, isBlack ? 0 : 255);
  }
}

/// Finds the size, and fills the picture if there is one.
[[maybe_unused]] static inline int readPnm(const Encoded &in, PictureSize &size, const Picture *picture) {
  PnmReader reader{in, 2};
  PnmHead head;
  if (!readPnmHead(reader, head))
    return kInvalidData;
  size = head.size;
  if (picture && !picture->hasSize(size))
    return kInvalidData;
  for (int64_t y = 0; picture && y < size.height && !reader.failed; ++y) {
    if (head.isBitmap) {
      readPnmBits(reader, head, y, *picture);
      continue;
    }
    for (int64_t x = 0; x < size.width; ++x) {
      const uint8_t first = readPnmSample(reader, head);
      const uint8_t second = head.hasColors ? readPnmSample(reader, head) : first;
      picture->put(y, x, first, second, head.hasColors ? readPnmSample(reader, head) : first);
    }
  }
  return reader.failed ? kInvalidData : 0;
}

} // namespace
} // namespace sinter
