// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MurmurHash3 (x86, 32 bits) of strings, whose words are little-endian whatever the machine is.
#pragma once

#include "runtime-lite/types.h"
#include "runtime-lite/view.h"

namespace sinter {
namespace {

struct HashTextParams {
  int64_t seed;
};

SINTER_FUNCTION uint32_t murmurHash3(sinter_string text, uint32_t hash) {
  const auto rotated = [](uint32_t word, int by) { return word << by | word >> (32 - by); };
  const auto mixed = [&](uint32_t word) { return rotated(word * 0xcc9e2d51u, 15) * 0x1b873593u; };
  const auto byte = [&](size_t at) { return static_cast<uint32_t>(static_cast<unsigned char>(text.data[at])); };
  size_t at = 0;
  for (; at + 4 <= text.size; at += 4) {
    hash ^= mixed(byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16 | byte(at + 3) << 24);
    hash = rotated(hash, 13) * 5 + 0xe6546b64u;
  }
  uint32_t rest = 0;
  for (int shift = 0; at < text.size; ++at, shift += 8)
    rest |= byte(at) << shift;
  hash ^= mixed(rest) ^ static_cast<uint32_t>(text.size);
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

template <class Word>
static inline void hashText(const HashTextParams &p, const View<const sinter_string, 1> &x, const View<Word, 1> &y) {
  for (int64_t i = 0; i < y.sizes[0]; ++i)
    y.data[i * y.strides[0]] = static_cast<Word>(murmurHash3(x.data[i * x.strides[0]], static_cast<uint32_t>(p.seed)));
}

} // namespace
} // namespace sinter
