// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files hold numbers with their least byte first; a machine that has them the other way round turns them on the way.
#pragma once

#include <algorithm>
#include <cstdio>
#include <vector>

constexpr bool isBigEndian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

/// Turns each number of `width` bytes.
inline void toFileOrder(char *begin, size_t bytes, size_t width) {
  if (isBigEndian && width > 1)
    for (size_t at = 0; at < bytes; at += width)
      std::reverse(begin + at, begin + at + width);
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
  std::vector<char> turned(static_cast<const char *>(from), static_cast<const char *>(from) + bytes);
  toFileOrder(turned.data(), bytes, width);
  std::fwrite(turned.data(), 1, bytes, file);
}
