// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An entry for each template and form, with sizes as the compiler prints them. gates.py compiles this for each SM.
#include "templates/cuda/builtins.h"

#include "templates/cuda/attention_tiles.h"
#include "templates/cuda/cumulate_lines.h"
#include "templates/cuda/depthwise_strip.h"
#include "templates/cuda/elementwise.h"
#include "templates/cuda/inverted_residual.h"
#include "templates/cuda/launch_order.h"
#include "templates/cuda/pool_element.h"
#include "templates/cuda/requantize_sums.h"
#include "templates/cuda/row_norm.h"
#include "templates/cuda/row_products.h"
#include "templates/cuda/row_reduce.h"
#include "templates/cuda/row_softmax.h"
#include "templates/cuda/scatter_element.h"
#include "templates/cuda/select_block.h"
#include "templates/cuda/simt_gemm.h"
#include "templates/cuda/simt_norm_gemm.h"
#include "templates/cuda/split_k.h"
#include "templates/cuda/swap_axes.h"
#include "templates/cuda/tile_conv.h"
#include "templates/cuda/tile_norm_gemm.h"
#include "templates/cuda/topk_element.h"
#include "templates/math/math_erf.h"

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
KERNEL(gemm_early, Small::kThreads, 4)(const f16 *a, const f16 *b, f16 *c, const float *bias) {
  bringToL2<Small::kThreads>(b, 2 * 768 * 3072);
  awaitLaunchBefore();
  gemm<Small, true>(a, 768, b, 768, c, 3072, 128, 3072, 768, Relu{bias});
}
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
using FastF32 = BlockTile<float, 64, 64, 128, 32, 32, 3, Tf32Unit>;
KERNEL(gemm_f32_fast, 128, 3)(const float *a, const float *b, float *c, const float *bias) {
  gemm<FastF32, true>(a, 768, b, 768, c, 3072, 128, 3072, 768, Relu{bias});
}
using SmallF32 = BlockTile<float, 32, 32, 128, 16, 16, 3>;
KERNEL(gemm_f32_split, 128, 4)
(const float *a, const float *b, float *c, const float *bias, float *partials, uint32_t *counters) {
  splitGemm<SmallF32, true>(a, 3072, b, 3072, c, 768, 128, 768, 3072, 4, partials, counters, Relu{bias});
}
using LargeF32 = BlockTile<float, 128, 128, 64, 64, 32, 3>;
KERNEL(conv_f32, 256, 1)(const float *in, const float *filters, float *out, const float *bias) {
  conv<LargeF32, true>(in, filters, 576, out, 64, ConvShape{1, 56, 56, 64, 3, 3, 56, 56, 1, 1, 1, 1, 1, 1}, 64,
                       Relu{bias});
}
KERNEL(tile_norm_gemm, 128, 1)(const f16 *x, const f16 *b, f16 *c, f16 *normed, const f16 *scale, const float *bias) {
  const NormedRows<f16, NormScaleShift<f16>> rows{x, 768, true, 1e-5f, {scale, scale + 768}, true, normed, 768};
  tileNormGemm<Flat, true, 3>(rows, b, 768, c, 3072, 128, 3072, 768, Relu{bias});
}
#endif
using SquareS8 = BlockTile<int8_t, 64, 64, 128, 32, 32, 3>;
KERNEL(gemm_s8, 128, 3)(const int8_t *a, const int8_t *b, int8_t *c, const int32_t *bias, const float *factor) {
  gemm<SquareS8, true>(a, 768, b, 768, c, 3072, 128, 3072, 768, Requantize<int8_t>{bias, factor, -128, 127, 0});
}
KERNEL(row_products, 128, 4)(const f16 *a, const f16 *b, f16 *c, const float *bias) {
  rowProducts<RowsOfWarps<1>, 8>(a, 1280, b, 1280, c, 1000, 1, 1000, 1280, Relu{bias});
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

KERNEL(conv_bytes, 128, 3)
(const uint8_t *in, const int8_t *filters, int8_t *out, const int32_t *bias, const float *factor) {
  conv<BlockTile<uint8_t, 64, 64, 128, 32, 32, 3>, true>(in, filters, 576, out, 64,
                                                         ConvShape{1, 56, 56, 64, 3, 3, 56, 56, 1, 1, 1, 1, 1, 1, 128},
                                                         64, Requantize<int8_t>{bias, factor, -128, 127, 0});
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
KERNEL(gelu, 256, 4)(const float *x, float *y) { y[threadOfGrid<256>()] = sinter::gelu(x[threadOfGrid<256>()]); }
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
KERNEL(simt_norm_gemm, 256, 3)(const float *x, const float *b, float *c, float *normed, const float *bias) {
  const NormedRows<float, NormScaleShift<float>> rows{x, 768, true, 1e-5f, {bias, bias + 768}, true, normed, 768};
  simtNormGemm<SimtTile<64, 64, 16, 4, 4>, false>(rows, b, 3072, c, 3072, 128, 3072, 768, Relu{bias});
}
KERNEL(depthwise, 128, 3)(const f16 *in, const f16 *filter, f16 *out, const float *bias) {
  depthwise<f16, 8, 4, 3, 3>(in, filter, out, 144, ConvShape{1, 56, 56, 144, 3, 3, 56, 56, 1, 1, 1, 1, 1, 1}, 128,
                             [&](float sum, int, int c) { return greater(sum + bias[c], 0.0f); });
}
KERNEL(max_pool, 256, 4)(const f16 *x, f16 *y) {
  static const int64_t kernel[] = {3, 3}, strides[] = {2, 2}, dilations[] = {1, 1}, pads[] = {1, 1};
  maxPoolBlockedElement(threadOfGrid<256>(), MaxPoolBlockedParams{kernel, strides, dilations, pads},
                        View<const f16, 5>{x, {1, 1, 112, 112, 64}, {802816, 802816, 7168, 64, 1}},
                        View<f16, 5>{y, {1, 1, 56, 56, 64}, {200704, 200704, 3584, 64, 1}});
}
KERNEL(average_pool, 256, 4)(const float *x, float *y) {
  static const int64_t kernel[] = {3, 3, 2}, strides[] = {2, 1, 1}, dilations[] = {1, 1, 2},
                       pads[] = {1, 1, 0, 1, 1, 1};
  averagePoolElement(threadOfGrid<256>(), AveragePoolParams{kernel, strides, dilations, pads, true, false},
                     View<const float, 5>{x, {2, 8, 10, 12, 14}, {13440, 1680, 168, 14, 1}},
                     View<float, 5>{y, {2, 8, 5, 12, 13}, {6240, 780, 156, 13, 1}});
}
KERNEL(max_pool_indices, 256, 4)(const float *x, const int64_t *pads, float *y, int64_t *places) {
  static const int64_t kernel[] = {3, 3}, strides[] = {2, 2}, dilations[] = {1, 1};
  maxPoolIndicesElement(threadOfGrid<256>(), MaxPoolIndicesParams{kernel, strides, dilations, false},
                        View<const float, 4>{x, {2, 8, 10, 12}, {960, 120, 12, 1}},
                        View<const int64_t, 1>{pads, {2}, {1}}, View<float, 4>{y, {2, 8, 5, 6}, {240, 30, 6, 1}},
                        View<int64_t, 4>{places, {2, 8, 5, 6}, {240, 30, 6, 1}});
}
KERNEL(topk, 256, 4)(const float *x, float *values, int64_t *indices) {
  topkElement(threadOfGrid<256>(), TopkParams{1, true}, View<const float, 2>{x, {8, 1000}, {1000, 1}},
              View<float, 2>{values, {8, 5}, {5, 1}}, View<int64_t, 2>{indices, {8, 5}, {5, 1}},
              View<int64_t, 1>{nullptr, {1000}, {1}});
}
KERNEL(scatter_elements, 256, 4)
(const float *data, const int64_t *indices, const float *updates, float *y, int *status) {
  if (const int result = scatterElementsElement(
          threadOfGrid<256>(), ScatterElementsParams{1, 1}, View<const float, 2>{data, {64, 1000}, {1000, 1}},
          View<const int64_t, 2>{indices, {64, 30}, {30, 1}}, View<const float, 2>{updates, {64, 30}, {30, 1}},
          View<float, 2>{y, {64, 1000}, {1000, 1}}))
    *status = result;
}
KERNEL(scatter_nd, 256, 4)(const float *data, const int64_t *indices, const float *updates, float *y, int *status) {
  if (const int result = scatterNdElement(
          threadOfGrid<256>(), ScatterNdParams{0}, View<const float, 3>{data, {8, 100, 64}, {6400, 64, 1}},
          View<const int64_t, 2>{indices, {30, 2}, {2, 1}}, View<const float, 2>{updates, {30, 64}, {64, 1}},
          View<float, 3>{y, {8, 100, 64}, {6400, 64, 1}}))
    *status = result;
}
KERNEL(cumulate, 256, 4)(const float *x, const int64_t *axis, float *y) {
  cumulateLines(threadOfGrid<256>() / 32, int64_t(blocksX()) * 8, CumulateParams{},
                View<const float, 3>{x, {8, 100, 64}, {6400, 64, 1}}, View<const int64_t, 0>{axis},
                View<float, 3>{y, {8, 100, 64}, {6400, 64, 1}});
}
KERNEL(non_zero, 512, 1)(const float *x, int64_t *places, int64_t *count) {
  nonZeroBlock(View<const float, 2>{x, {64, 1000}, {1000, 1}}, View<int64_t, 2>{places, {2, 64000}, {64000, 1}},
               View<int64_t, 0>{count});
}
KERNEL(unique, 512, 1)(const float *x, int64_t *lists, int64_t *count, int64_t *order) {
  const auto list = [](int64_t *from) { return View<int64_t, 1>{from, {1000}, {1}}; };
  uniqueBlock(UniqueParams{true}, View<const float, 2>{x, {1000, 1}, {1, 1}}, list(lists), list(lists + 1000),
              list(lists + 2000), View<int64_t, 0>{count}, list(order));
}
KERNEL(boxes, 512, 1)
(const float *boxes, const float *scores, const int64_t *most, const float *limits, int64_t *selected, int64_t *count,
 int64_t *order) {
  nonMaxSuppressionBlock(NonMaxSuppressionParams{false, true}, View<const float, 3>{boxes, {1, 8400, 4}, {33600, 4, 1}},
                         View<const float, 3>{scores, {1, 80, 8400}, {672000, 8400, 1}}, View<const int64_t, 0>{most},
                         View<const float, 0>{limits}, View<const float, 0>{limits + 1},
                         View<int64_t, 2>{selected, {300, 3}, {3, 1}}, View<int64_t, 0>{count},
                         View<int64_t, 1>{order, {8400}, {1}});
}
KERNEL(depthwise_wide, 128, 2)(const f16 *in, const f16 *filter, f16 *out, const float *bias) {
  depthwise<f16, 8, 2, 7, 7>(in, filter, out, 96, ConvShape{1, 56, 56, 96, 7, 7, 56, 56, 1, 1, 3, 3, 1, 1}, 128,
                             Relu{bias});
}
KERNEL(depthwise_bytes, 128, 3)(const int8_t *in, const int8_t *filter, int32_t *out) {
  depthwise<int8_t, 8, 4, 3, 3>(in, filter, out, 144, ConvShape{1, 56, 56, 144, 3, 3, 56, 56, 1, 1, 1, 1, 1, 1, -128},
                                128, [](int32_t sum, int, int) { return sum; });
}
#if SINTER_CUDA_ARCH >= 750
#define ATTENTION(name, Tile, blocks)                                                                                  \
  KERNEL(name, (Tile::kThreads), blocks)                                                                               \
  (const Tile::Element *q, const Tile::Element *k, const Tile::Element *v, const float *mask, Tile::Element *out) {    \
    constexpr int64_t kSize = Tile::kDepth, kLine = 12 * kSize, kHead = 128 * kLine;                                   \
    using Head = View<const Tile::Element, 4>;                                                                         \
    attentionTiles<Tile, true>(                                                                                        \
        AttentionHeadsParams{0.125, true}, Head{q, {1, 12, 128, kSize}, {kHead, kSize, kLine, 1}},                     \
        Head{k, {1, 12, 128, kSize}, {kHead, kSize, kLine, 1}},                                                        \
        Head{v, {1, 12, 128, kSize}, {kHead, kSize, kLine, 1}},                                                        \
        View<const float, 4>{mask, {1, 1, 1, 128}, {128, 128, 128, 1}},                                                \
        View<Tile::Element, 4>{out, {1, 12, 128, kSize}, {kHead, kSize, kLine, 1}}, View<float, 1>{});                 \
  }
using FourRows = AttentionTile<f16, 64, 64, 4, 1, 64, 2>;
using SharedKeys = AttentionTile<f16, 64, 64, 1, 4, 32, 1>;
using WideHead = AttentionTile<f16, 128, 128, 4, 1, 32, 2>;
using WidestHead = AttentionTile<f16, 256, 256, 4, 1, 16, 1>;
ATTENTION(attention_rows, FourRows, 1)
ATTENTION(attention_keys, SharedKeys, 1)
ATTENTION(attention_wide, WideHead, 1)
#if SINTER_CUDA_ARCH >= 800
ATTENTION(attention_widest, WidestHead, 1)
using FloatRows = AttentionTile<float, 64, 64, 4, 1, 32, 2>;
using FloatKeys = AttentionTile<float, 64, 64, 1, 4, 32, 1>;
using WideFloats = AttentionTile<float, 128, 128, 4, 1, 16, 2>;
ATTENTION(attention_f32, FloatRows, 1)
ATTENTION(attention_f32_keys, FloatKeys, 1)
ATTENTION(attention_f32_wide, WideFloats, 1)
#endif
#endif

/// MobileNetV2's block of 14 x 14 pixels, 64 to 384 to 64 channels, in float and in halves, and its first convolutions.
template <int kBytes>
struct MiddleBlock {
  static SINTER_DEVICE constexpr ResidualShape shape() {
    return {{14, 14, 64, 1, 1, 1, 1, 1, 1, 0, 0, 64, false},
            {14, 14, 384, 3, 3, 1, 1, 1, 1, 1, 1, 384, false},
            14,
            14,
            64,
            kBytes,
            {4, 4, 48, 8, 128, 4, 2}};
  }
};
struct FirstBlock {
  static SINTER_DEVICE constexpr ResidualShape shape() {
    return {{224, 224, 3, 3, 3, 2, 2, 1, 1, 1, 1, 3, true},
            {112, 112, 32, 3, 3, 1, 1, 1, 1, 1, 1, 32, false},
            112,
            112,
            16,
            4,
            {8, 8, 32, 1, 128, 4, 4}};
  }
};
struct Relu6 {
  const float *bias;
  SINTER_DEVICE float operator()(float sum, int, int c, int, int) const {
    const float v = greater(sum + bias[c], 0.0f);
    return v > 6.0f ? 6.0f : v;
  }
};
template <class T, class Sizes>
SINTER_DEVICE void block(const T *in, const T *filters, T *out, const float *bias, float *partials,
                         uint32_t *counters) {
  constexpr int hidden = Sizes::shape().depthwise.channels, k = Sizes::shape().expand.depth();
  const T *const depthwise = filters + hidden * k;
  invertedResidual<T, Sizes>(in, filters, depthwise, depthwise + hidden * 9, out, Sizes::shape().filters, partials,
                             counters, Relu6{bias}, Relu6{bias + hidden}, Relu6{bias + 2 * hidden});
}
KERNEL(residual_f32, 128, 2)
(const float *in, const float *filters, float *out, const float *bias, float *partials, uint32_t *counters) {
  block<float, MiddleBlock<4>>(in, filters, out, bias, partials, counters);
}
KERNEL(residual_f16, 128, 2)
(const f16 *in, const f16 *filters, f16 *out, const float *bias, float *partials, uint32_t *counters) {
  block<f16, MiddleBlock<2>>(in, filters, out, bias, partials, counters);
}
KERNEL(residual_first, 128, 2)
(const float *in, const float *filters, float *out, const float *bias) {
  block<float, FirstBlock>(in, filters, out, bias, nullptr, nullptr);
}

} // namespace sinter::cuda
