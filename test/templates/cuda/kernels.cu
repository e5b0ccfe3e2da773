// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An entry for each template and form, with sizes as the compiler prints them. gates.py compiles this for each SM.
#include "templates/cuda/tile_conv.h"
#include "templates/cuda/requantize_sums.h"
#include "templates/cuda/split_k.h"

namespace sinter::cuda {

#define KERNEL(name, threads, blocks) extern "C" __global__ void __launch_bounds__(threads, blocks) name
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

} // namespace sinter::cuda
