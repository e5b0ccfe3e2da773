// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files hold numbers with their least byte first; a machine that has them the other way round turns them on the way.
#pragma once

#include <cstdio>
#include <cstring>

constexpr bool isBigEndian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

/// Turns each number of `width` bytes.
inline void toFileOrder(char *begin, size_t bytes, size_t width) {
  if (isBigEndian && width > 1)
    for (size_t at = 0; at < bytes; at += width)
      for (size_t i = 0, j = width - 1; i < j; ++i, --j) {
        const char byte = begin[at + i];
        begin[at + i] = begin[at + j];
        begin[at + j] = byte;
      }
}

/// False if the file is too short.
inline bool readNumbers(std::FILE *file, void *to, size_t bytes, size_t width) {
  if (std::fread(to, 1, bytes, file) != bytes)
    return false;
  toFileOrder(static_cast<char *>(to), bytes, width);
  return true;
}
inline void writeNumbers(std::FILE *file, const void *from, size_t bytes, size_t width) {
  if (!isBigEndian) {
    std::fwrite(from, 1, bytes, file);
    return;
  }
  for (size_t at = 0; at < bytes; at += width) {
    char number[8];
    std::memcpy(number, static_cast<const char *>(from) + at, width);
    toFileOrder(number, width, width);
    std::fwrite(number, 1, width, file);
  }
}
