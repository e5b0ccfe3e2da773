// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An entry for each template and form, with sizes as the compiler prints them. gates.py compiles this for each SM.
#include "templates/cuda/tile_conv.h"
#include "templates/cuda/depthwise_strip.h"
#include "templates/cuda/elementwise.h"
#include "templates/cuda/flash_attention.h"
#include "templates/cuda/requantize_sums.h"
#include "templates/cuda/row_norm.h"
#include "templates/cuda/row_reduce.h"
#include "templates/cuda/row_softmax.h"
#include "templates/cuda/simt_gemm.h"
#include "templates/cuda/split_k.h"
#include "templates/cuda/swap_axes.h"

namespace sinter::cuda {

#define KERNEL(name, threads, blocks) SINTER_KERNEL(threads, blocks) name
struct Relu {
  const float *bias;
  SINTER_DEVICE float operator()(float sum, int, int j) const { return greater(sum + bias[j], 0.0f); }
};
using Small = BlockTile<f16, 32, 32, 128, 16, 16, 3>;
using Flat = BlockTile<f16, 32, 64, 128, 16, 32, 3>;
using Square = BlockTile<f16, 64, 64, 128, 32, 32, 3>;
using Tall = BlockTile<f16, 128, 64, 64, 64, 32, 3>;
using Large = BlockTile<f16, 128, 128, 64, 64, 32, 3>;
using Peak = BlockTile<f16, 128, 128, 64, 64, 64, 3>;

#define GEMM(name, Tile, blocks)                                                                                       \
  KERNEL(name, Tile::kThreads, blocks)(const f16 *a, const f16 *b, f16 *c, const float *bias) {                        \
    gemm<Tile, true>(a, 768, b, 768, c, 3072, 128, 3072, 768, Relu{bias});                                             \
  }
GEMM(gemm_small, Small, 4)
GEMM(gemm_flat, Flat, 4)
GEMM(gemm_square, Square, 3)
GEMM(gemm_tall, Tall, 3)
GEMM(gemm_large, Large, 1)
GEMM(gemm_peak, Peak, 1)

#if SINTER_CUDA_ARCH >= 800 // sm_75 has no unit for these
using SquareBf16 = BlockTile<bf16, 64, 64, 128, 32, 32, 3>;
KERNEL(gemm_bf16, 128, 3)(const bf16 *a, const bf16 *b, bf16 *c, const float *bias) {
  gemm<SquareBf16, true>(a, 768, b, 768, c, 3072, 128, 3072, 768, Relu{bias});
}
using SquareF32 = BlockTile<float, 64, 64, 128, 32, 32, 3>;
KERNEL(gemm_f32, 128, 3)(const float *a, const float *b, float *c, const float *bias) {
  gemm<SquareF32, true>(a, 768, b, 768, c, 3072, 128, 3072, 768, Relu{bias});
}
#endif
using SquareS8 = BlockTile<int8_t, 64, 64, 128, 32, 32, 3>;
KERNEL(gemm_s8, 128, 3)(const int8_t *a, const int8_t *b, int8_t *c, const int32_t *bias, const float *factor) {
  gemm<SquareS8, true>(a, 768, b, 768, c, 3072, 128, 3072, 768, Requantize<int8_t>{bias, factor, -128, 127, 0});
}
KERNEL(gemm_odd, 128, 3)(const f16 *a, const f16 *b, f16 *c, const float *bias) {
  gemm<Square, false>(a, 77, b, 77, c, 33, 55, 33, 77, Relu{bias});
}
KERNEL(gemm_split, 128, 3)
(const f16 *a, const f16 *b, f16 *c, const float *bias, float *partials, uint32_t *counters) {
  splitGemm<Square, true>(a, 3072, b, 3072, c, 768, 128, 768, 3072, 4, partials, counters, Relu{bias});
}
KERNEL(conv_3x3, 128, 3)(const f16 *in, const f16 *filters, f16 *out, const float *bias) {
  conv<Square, true>(in, filters, 576, out, 64, ConvShape{1, 56, 56, 64, 3, 3, 56, 56, 1, 1, 1, 1, 1, 1}, 64,
                     Relu{bias});
}

KERNEL(map_halves, 256, 4)(const f16 *a, const f16 *b, f16 *out) {
  mapElements<256, 8>(out, 100003, [](int64_t, float x, float y) { return greater(x + y, 0.0f); }, a, b);
}
KERNEL(softmax_warp, 128, 4)(const f16 *in, f16 *out) {
  softmaxRows<32, 8, 8, false>(in, 256, out, 256, 1536, 256, 128, [](float v, int, int) { return v; });
}
KERNEL(softmax_block, 256, 4)(const float *in, float *out) {
  softmaxRows<256, 8, 4, true>(in, 2000, out, 2000, 64, 2000, 256, [](float v, int, int) { return v; });
}
KERNEL(layer_norm, 128, 4)(const f16 *in, const f16 *residual, f16 *out, const float *scale, const float *bias) {
  normRows<32, 24, 8, true>(
      in, 768, out, 768, 128, 768, 1e-12f, 128,
      [&](float x, int i, int j) { return x + toFloat(residual[i * 768 + j]); },
      [&](float v, int, int j) { return fma(v, scale[j], bias[j]); });
}
KERNEL(reduce_rows, 256, 4)(const float *in, float *out) {
  reduceRows<256>(
      in, 5000, out, 100, 5000, 0.0f, 256, [](float x, int) { return x; }, Plus{},
      [](float v, int) { return v * (1.0f / 5000); });
}
KERNEL(reduce_columns, 128, 4)(const f16 *in, f16 *out) {
  reduceColumns(
      in, out, 49, 2048, 0.0f, 128, [](f16 x, int) { return toFloat(x); }, Plus{},
      [](float v, int64_t) { return v * (1.0f / 49); });
}
KERNEL(transpose, 256, 4)(const f16 *in, f16 *out) {
  swapAxes(in, out, 100, 300, [](f16 v) { return v; });
}
KERNEL(simt_gemm, 256, 2)(const float *a, const float *b, float *c, const float *bias) {
  simtGemm<SimtTile<128, 128, 16, 8, 8>, true>(a, 768, b, 768, c, 3072, 128, 3072, 768, Relu{bias});
}
KERNEL(depthwise, 128, 3)(const f16 *in, const f16 *filter, f16 *out, const float *bias) {
  depthwise<f16, 8, 4, 3, 3>(in, filter, out, ConvShape{1, 56, 56, 144, 3, 3, 56, 56, 1, 1, 1, 1, 1, 1}, 128,
                             [&](float sum, int, int c) { return greater(sum + bias[c], 0.0f); });
}
#if SINTER_CUDA_ARCH >= 750
KERNEL(attention, 32, 8)(const f16 *q, const f16 *k, const f16 *v, f16 *out) {
  attention<f16, 64, 1, 32>(q, 2304, k, 2304, v, 2304, out, 768, 128, 128, 0.125f, NoMask{});
}
#endif

} // namespace sinter::cuda
