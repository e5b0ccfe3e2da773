// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How generated code hands buffers to kernels: a typed address in the arena or the weights, and View, an address with
// sizes and strides.
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter {
namespace {

/// The object of type T at a byte offset of the arena, the weights or a caller's buffer.
template <class T>
SINTER_INLINE T *at(void *base, int64_t bytes) {
  return reinterpret_cast<T *>(static_cast<char *>(base) + bytes);
}
template <class T>
SINTER_INLINE T *at(const void *base, int64_t bytes) {
  return reinterpret_cast<T *>(static_cast<const char *>(base) + bytes);
}

/// Strides count elements; a view of rank 0 has neither sizes nor strides.
template <class T, int Rank>
struct View {
  T *data;
  int64_t sizes[Rank];
  int64_t strides[Rank];
  static constexpr int rank = Rank;
};
template <class T>
struct View<T, 0> {
  T *data;
  static constexpr int rank = 0;
};

template <class T, int Rank>
SINTER_FUNCTION int64_t elements(const View<T, Rank> &view) {
  int64_t product = 1;
  if constexpr (Rank > 0)
    for (int64_t size : view.sizes)
      product *= size;
  return product;
}

} // namespace
} // namespace sinter
