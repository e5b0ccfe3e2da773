// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UTF-8: one code point at a time, and text of any bytes made valid. Everything behind tokenizer_encode.h sees valid
// text only, so that nothing else checks it.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sinter::generation {

struct CodePoint {
  uint32_t value;
  uint32_t bytes;
};

/// The bytes of the code point that `lead` begins; 0 where none begins so.
inline uint32_t utf8Length(uint8_t lead) {
  return lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
}

/// Reads valid text.
inline CodePoint readCodePoint(const uint8_t *text) {
  uint8_t lead = text[0];
  if (lead < 0x80)
    return {lead, 1};
  if (lead < 0xe0)
    return {(lead & 0x1fu) << 6 | (text[1] & 0x3fu), 2};
  if (lead < 0xf0)
    return {(lead & 0xfu) << 12 | (text[1] & 0x3fu) << 6 | (text[2] & 0x3fu), 3};
  return {(lead & 7u) << 18 | (text[1] & 0x3fu) << 12 | (text[2] & 0x3fu) << 6 | (text[3] & 0x3fu), 4};
}

inline uint32_t writeCodePoint(uint8_t *to, uint32_t value) {
  if (value < 0x80) {
    to[0] = uint8_t(value);
    return 1;
  }
  if (value < 0x800) {
    to[0] = uint8_t(0xc0 | value >> 6);
    to[1] = uint8_t(0x80 | (value & 0x3f));
    return 2;
  }
  if (value < 0x10000) {
    to[0] = uint8_t(0xe0 | value >> 12);
    to[1] = uint8_t(0x80 | (value >> 6 & 0x3f));
    to[2] = uint8_t(0x80 | (value & 0x3f));
    return 3;
  }
  to[0] = uint8_t(0xf0 | value >> 18);
  to[1] = uint8_t(0x80 | (value >> 12 & 0x3f));
  to[2] = uint8_t(0x80 | (value >> 6 & 0x3f));
  to[3] = uint8_t(0x80 | (value & 0x3f));
  return 4;
}

/// How many of the first bytes belong together: a code point (`isWhole`), one that the text's end cuts off (`isCut`),
/// or the longest beginning of one that then goes wrong, which U+FFFD stands for (Unicode, chapter 3, table 3-8).
struct Utf8Prefix {
  uint32_t bytes;
  bool isWhole, isCut;
};
inline Utf8Prefix utf8Prefix(const uint8_t *text, size_t size) {
  uint8_t lead = text[0];
  uint32_t length = utf8Length(lead);
  if (length <= 1)
    return {1, length == 1, false};
  for (uint32_t i = 1; i < length; ++i) {
    if (i == size)
      return {i, false, true};
    // The second byte is bounded besides: no overlong forms, no surrogates, nothing above U+10FFFF.
    uint8_t low = 0x80, high = 0xbf;
    if (i == 1) {
      low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
      high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    }
    if (text[i] < low || text[i] > high)
      return {i, false, false};
  }
  return {length, true, false};
}

/// How many bytes from the start are valid text.
inline size_t validUtf8(const uint8_t *text, size_t size) {
  size_t at = 0;
  while (at < size) {
    if (text[at] < 0x80) {
      ++at;
      continue;
    }
    Utf8Prefix prefix = utf8Prefix(text + at, size - at);
    if (!prefix.isWhole)
      break;
    at += prefix.bytes;
  }
  return at;
}

/// Writes the text with U+FFFD for what is not valid, three bytes for one at most; how many bytes.
inline size_t replaceInvalidUtf8(const uint8_t *text, size_t size, uint8_t *to) {
  size_t written = 0;
  for (size_t at = 0; at < size;) {
    Utf8Prefix prefix = utf8Prefix(text + at, size - at);
    if (prefix.isWhole)
      for (uint32_t i = 0; i < prefix.bytes; ++i)
        to[written++] = text[at + i];
    else
      written += writeCodePoint(to + written, 0xfffd);
    at += prefix.bytes;
  }
  return written;
}

} // namespace sinter::generation
