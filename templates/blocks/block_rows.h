// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of A as products with weights in blocks take them: floats, or signed bytes with a scale for each block of a
// row, x = byte * scale with scale = max |x| / 127 (onnxruntime's accuracy_level 4). What is behind k in the last block
// is zero. Under block_gemm.h.
#pragma once

#include "templates/math/math_round.h"

namespace sinter {
namespace {

/// A block of a row as bytes.
template <int kBlock>
struct ByteBlock {
  int8_t bytes[kBlock];
  float scale;
  int32_t sum; ///< of the bytes
};
/// As floats.
template <int kBlock>
struct FloatBlock {
  float values[kBlock];
};

/// A block of n <= kBlock elements.
template <int kBlock, class T>
SINTER_INLINE void takeBlock(const T *x, int64_t n, FloatBlock<kBlock> &to) {
  constexpr int lanes = kBlock % kLanes<float> == 0 ? kLanes<float> : 1;
  if (n == kBlock) {
    for (int i = 0; i < kBlock; i += lanes)
      store(&to.values[i], load<Vec<float, lanes>>(x + i));
  } else {
    for (int i = 0; i < kBlock; ++i)
      to.values[i] = i < n ? convert<float>(x[i]) : 0.0f;
  }
}
template <int kBlock, class T>
SINTER_INLINE void takeBlock(const T *x, int64_t n, ByteBlock<kBlock> &to) {
  constexpr int lanes = kBlock % kLanes<float> == 0 ? kLanes<float> : 1;
  using V = Vec<float, lanes>;
  using I = Vec<int32_t, lanes>;
  FloatBlock<kBlock> block;
  takeBlock(x, n, block);
  V most = V{};
  for (int i = 0; i < kBlock; i += lanes)
    most = max(most, abs(load<V>(&block.values[i])));
  const float largest = maxOf(most);
  to.scale = largest / 127;
  const V inverse = splat<V>(largest > 0 ? 127 / largest : 0.0f);
  I sums = I{};
  for (int i = 0; i < kBlock; i += lanes) {
    const I numbers = convert<I>(roundEven(load<V>(&block.values[i]) * inverse));
    store(to.bytes + i, convert<Vec<int8_t, lanes>>(numbers));
    sums = sums + numbers;
  }
  to.sum = sum(sums);
}

/// m rows of k elements, lda apart, as [ceil(k / kBlock)][m].
template <int kBlock, template <int> class Block, class T>
void takeRows(const T *a, int64_t lda, int64_t m, int64_t k, Block<kBlock> *to) {
  for (int64_t p = 0; p < k; p += kBlock)
    for (int64_t i = 0; i < m; ++i)
      takeBlock(a + i * lda + p, k - p < kBlock ? k - p : int64_t(kBlock), *to++);
}

} // namespace
} // namespace sinter
