// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies rows of some hundred bytes. Of a size that it knows g++ for x86 makes `rep movsq`, whose start alone takes as
// long as a few hundred bytes by vectors: 264 bytes took 16 ns (Zen 4), here 6.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

#if defined(SINTER_IS_GNU) && !defined(__clang__) && defined(__x86_64__) && !defined(__OPTIMIZE_SIZE__)
/// Each store leaves room for others: stores behind each other would be found to be a memcpy.
template <int kLanesAtOnce>
SINTER_INLINE void copyBlocks(uint8_t *to, const uint8_t *from, size_t n) {
  using V = Vec<uint8_t, kLanesAtOnce>;
  constexpr size_t width = sizeof(V);
  size_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width) {
    const V v0 = load<V>(from + i), v1 = load<V>(from + i + width), v2 = load<V>(from + i + 2 * width),
            v3 = load<V>(from + i + 3 * width);
    store(to + i, v0);
    store(to + i + width, v1);
    store(to + i + 2 * width, v2);
    store(to + i + 3 * width, v3);
  }
  for (int k = 0; k < 3 && i + width <= n; ++k, i += width)
    store(to + i, load<V>(from + i));
  if (i < n)
    store(to + n - width, load<V>(from + n - width));
}

/// n bytes from `from` to `to`, which share none.
SINTER_INLINE void copyBytes(void *to, const void *from, size_t n) {
  if (__builtin_constant_p(n) && n >= 256 && n <= 8192)
    copyBlocks<SINTER_VECTOR_BYTES>(static_cast<uint8_t *>(to), static_cast<const uint8_t *>(from), n);
  else
    SINTER_COPY(to, from, n);
}
#else
SINTER_INLINE void copyBytes(void *to, const void *from, size_t n) { SINTER_COPY(to, from, n); }
#endif

} // namespace
} // namespace sinter
