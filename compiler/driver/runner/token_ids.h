// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens in words that programs are given, with commas between them and semicolons between sequences, and in what they
// print, with blanks.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Ids = std::vector<int64_t>;

/// One at least, which is empty where `text` is, or null.
inline std::vector<Ids> sequencesOf(const char *text) {
  std::vector<Ids> sequences(1);
  while (text && *text) {
    char *end;
    sequences.back().push_back(std::strtoll(text, &end, 10));
    if (*end == ';')
      sequences.emplace_back();
    text = *end ? end + 1 : end;
  }
  return sequences;
}

inline void printIds(const Ids &ids) {
  for (size_t i = 0; i < ids.size(); ++i)
    std::printf("%s%lld", i ? " " : "", static_cast<long long>(ids[i]));
}
