// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of a block's values, each times its weight. Of floats and halves in floats. Where values are rows of bytes
// (cache_rows.h), a block's weights, with the rows' scales in them, become whole numbers of 14 bits that share a scale
// for each query: what that rounds is less than what the cache did. Their two halves are small bytes, for which dot4
// has an instruction on some targets; elsewhere such weights are multiplied as floats. Under attention.h.
#pragma once

#include "templates/attention/attention_shape.h"
#include "templates/attention/weigh_keys.h"
#include "templates/direct/gemm_unpacked.h"
#include "templates/dot4/int_gemm.h"
#include "templates/dot4/pack_rows.h"

namespace sinter {
namespace {

/// Bits of either half of a weight, and the greatest weight.
constexpr int kHalfWeightBits = 7;
constexpr int32_t kMostWeight = (1 << 2 * kHalfWeightBits) - 1;
/// Added to a number below 2^22, leaves the nearest whole one.
constexpr float kWhole = 0x1.8p23f;

/// Values of floats or halves, R queries at a time; NR columns of a tile.
template <int R, int NR, class TV>
struct ValueSums {
  const AttentionShape &shape;
  const TV *values = nullptr;

  template <class Places>
  SINTER_INLINE_MEMBER ValueSums(const AttentionShape &s, const Places &, float *) : shape(s) {}
  SINTER_INLINE_MEMBER void take(const TV *block, int64_t) { values = block; }
  /// c[rows, width] = emit(sums over the block's first `here` rows, weighed by `weights`, i, j). `weights`, whose
  /// greatest in each row `largest` says, are not kept. `meanwhile()` is called now and then.
  template <class Meanwhile, class TC, class Emit>
  SINTER_INLINE_MEMBER void sums(float *weights, int64_t pitch, int64_t rows, int64_t here,
                                 [[maybe_unused]] const float *largest, [[maybe_unused]] Meanwhile meanwhile, TC *c,
                                 int64_t ldc, Emit emit) {
    gemmRows<R, NR>(weights, pitch, Fixed<1>{}, values, shape.vPitch, c, ldc, rows, shape.width, here, emit);
  }
};

/// Values of bytes.
template <int R, int NR>
struct ValueSums<R, NR, int8_t> {
  const AttentionShape &shape;
  int8_t *room;   ///< a block's values, packed
  uint8_t *bytes; ///< [2 * rows][kAttentionKeys]: upper halves of weights, then lower ones
  int32_t *dots;  ///< [2 * rows][width]
  const int8_t *values = nullptr;
  int64_t count = 0;

  template <class Places>
  SINTER_INLINE_MEMBER ValueSums(const AttentionShape &s, const Places &places, float *scratch)
      : shape(s), room(packedBytes(scratch + places.values)),
        bytes(reinterpret_cast<uint8_t *>(scratch + places.weights)),
        dots(reinterpret_cast<int32_t *>(scratch + places.sums)) {}
  SINTER_INLINE_MEMBER void take(const int8_t *block, int64_t n) {
    values = block, count = n;
    if constexpr (kDot4IsOne)
      packRows<NR>(values, shape.vPitch, shape.width, n, room);
  }
  /// weights[j] = whole number * the result, for n weights of which this is the largest. use(number + kWhole, j): the
  /// number is in the float's last bits.
  template <class Use>
  SINTER_INLINE_MEMBER static float roundWeights(const float *weights, int64_t n, float largest, Use use) {
    const float inverse = largest > 0 ? float(kMostWeight) / largest : 0.0f;
    map<float>(n, [&](auto tag, int64_t j) {
      using V = typename decltype(tag)::Type;
      use(V(V(load<V>(weights + j) * splat<V>(inverse)) + splat<V>(kWhole)), j);
    });
    return largest / float(kMostWeight);
  }
  template <class Meanwhile, class TC, class Emit>
  SINTER_INLINE_MEMBER void sums(float *weights, int64_t pitch, int64_t rows, int64_t here,
                                 [[maybe_unused]] const float *largest, [[maybe_unused]] Meanwhile meanwhile, TC *c,
                                 int64_t ldc, Emit emit) {
    float scales[R] = {};
    if constexpr (kDot4IsOne) {
      const int64_t bytePitch = kAttentionKeys, fours = roundedUp(count, 4);
      for (int64_t i = 0; i < rows; ++i) {
        meanwhile();
        uint8_t *const high = bytes + i * bytePitch, *const low = bytes + (rows + i) * bytePitch;
        scales[i] = roundWeights(weights + i * pitch, here, largest[i], [&](auto weight, int64_t j) {
          using I = Like<decltype(weight), int32_t>;
          const I bits = bitCast<I>(weight), half = splat<I>((1 << kHalfWeightBits) - 1);
          store(high + j, I(I(bits >> kHalfWeightBits) & half));
          store(low + j, I(bits & half));
        });
        for (int64_t j = here; j < fours; ++j)
          high[j] = low[j] = 0;
      }
      intGemm<R, NR, Dot4Bytes>(bytes, bytePitch, room, dots, shape.width, 2 * rows, shape.width, fours, Identity{});
      for (int64_t i = 0; i < rows; ++i) {
        meanwhile();
        const int32_t *const high = dots + i * shape.width, *const low = dots + (rows + i) * shape.width;
        map<float>(shape.width, [&](auto tag, int64_t j) {
          using V = typename decltype(tag)::Type;
          using I = Like<V, int32_t>;
          const I dot = add(mul(load<I>(high + j), splat<I>(1 << kHalfWeightBits)), load<I>(low + j));
          store(c + i * ldc + j, emit(V(convert<V>(dot) * splat<V>(scales[i])), i, j));
        });
      }
    } else {
      for (int64_t i = 0; i < rows; ++i) {
        meanwhile();
        float *const row = weights + i * pitch;
        scales[i] = roundWeights(row, here, largest[i], [&](auto weight, int64_t j) {
          store(row + j, decltype(weight)(weight - splat<decltype(weight)>(kWhole)));
        });
      }
      gemmRows<R, NR>(
          weights, pitch, Fixed<1>{}, values, shape.vPitch, c, ldc, rows, shape.width, here,
          [&](auto x, int64_t i, int64_t j) { return emit(decltype(x)(x * splat<decltype(x)>(scales[i])), i, j); });
    }
  }
};

} // namespace
} // namespace sinter
