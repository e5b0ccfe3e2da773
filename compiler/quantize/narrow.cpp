// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on the bits without a branch, so that compilers make vectors of it.
#include "quantize/narrow.h"

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cstring>

using namespace llvm;

namespace sinter::quantize {
namespace {
constexpr uint32_t magnitudeMask = 0x7fffffff, infinity = 0x7f800000;

/// `magnitude` without its last `dropped` bits, to the nearest, ties to even.
constexpr uint32_t withoutLast(uint32_t magnitude, unsigned dropped) {
  return (magnitude + (1u << (dropped - 1)) - 1 + ((magnitude >> dropped) & 1)) >> dropped;
}

struct Float16 {
  static constexpr uint32_t endless = 0x7c00, quiet = 0x200;
  static constexpr unsigned dropped = 13;

  static uint32_t rounded(uint32_t magnitude) {
    constexpr uint32_t bias = (127 - 15) << 23, leastNormal = (127 - 14) << 23;
    // Below the normal ones a last place is 2^-24, which is that of floats from 0.5 on: a sum rounds to it.
    uint32_t subnormal = bit_cast<uint32_t>(bit_cast<float>(magnitude) + 0.5f) - bit_cast<uint32_t>(0.5f);
    uint32_t normal = withoutLast(magnitude - bias, dropped);
    return magnitude < leastNormal ? subnormal : normal;
  }
};

struct BFloat16 {
  static constexpr uint32_t endless = 0x7f80, quiet = 0x40;
  static constexpr unsigned dropped = 16;

  static uint32_t rounded(uint32_t magnitude) { return withoutLast(magnitude, dropped); }
};

template <class Format>
int64_t narrowed(StringRef floats, char *out) {
  constexpr size_t mostAtOnce = 1 << 16; // of which a 32-bit number can count
  const char *in = floats.data();
  int64_t clipped = 0;
  for (size_t left = floats.size() / sizeof(uint32_t), count; left > 0; left -= count) {
    count = std::min(mostAtOnce, left);
    uint32_t beyond = 0;
    for (size_t i = 0; i < count; ++i) {
      uint32_t whole;
      std::memcpy(&whole, in + i * sizeof whole, sizeof whole);
      uint32_t magnitude = whole & magnitudeMask, rounded = Format::rounded(magnitude);
      bool isBeyond = magnitude < infinity && rounded >= Format::endless;
      beyond += isBeyond;
      rounded = isBeyond ? Format::endless - 1 : rounded;
      // What is no number keeps the first bits of what it says, and is quiet.
      uint32_t nan = Format::quiet | ((magnitude >> Format::dropped) & 0x7fff);
      rounded = magnitude == infinity ? Format::endless : magnitude > infinity ? nan : rounded;
      auto bits = static_cast<uint16_t>(rounded | ((whole >> 16) & 0x8000));
      std::memcpy(out + i * sizeof bits, &bits, sizeof bits);
    }
    clipped += beyond;
    in += count * sizeof(uint32_t);
    out += count * sizeof(uint16_t);
  }
  return clipped;
}
} // namespace

int64_t toFloat16(StringRef floats, char *narrow) { return narrowed<Float16>(floats, narrow); }
int64_t toBFloat16(StringRef floats, char *narrow) { return narrowed<BFloat16>(floats, narrow); }

} // namespace sinter::quantize
