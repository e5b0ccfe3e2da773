// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// int_gemm.h, int_conv.h and int_depthwise.h on layers of the MLPerf Tiny nets and of MobileNetV2.
#include "templates/dot4/int_conv.h"
#include "packing.h"
#include "probe.h"
#include "templates/dot4/int_depthwise.h"
#include "templates/dot4/int_gemm.h"
#include "templates/quantized/requantize.h"

using namespace sinter;
using test::kNR;
using test::kR;

namespace {

/// channels, filters, size of the map with its padding, kernel, stride
ConvShape shapeOf(const benchmark::State &state) {
  ConvShape s;
  s.channels = state.range(0), s.filters = state.range(1), s.height = s.width = state.range(2);
  s.kernelH = s.kernelW = state.range(3), s.strideH = s.strideW = state.range(4);
  s.outHeight = s.outWidth = (s.height - s.kernelH) / s.strideH + 1;
  s.in = blockedLayout(s.channels, s.height, s.width, s.channels);
  s.out = blockedLayout(s.filters, s.outHeight, s.outWidth, s.filters);
  return s;
}

/// run(in, weights, out, epilogue), counted as `macs` multiply-adds.
template <class Run>
void measureBytes(benchmark::State &state, const ConvShape &s, int64_t macs, Run run) {
  const int64_t taps = s.kernelH * ((s.kernelW + 3) / 4) * 4;
  test::Buffer<uint8_t> in(size_t(s.in.batch), 100), out(size_t(s.out.batch), 0);
  test::Buffer<int8_t> weights(size_t((s.channels + 3) * taps * (s.filters + kNR)), 3);
  test::Buffer<int32_t> bias(size_t(s.filters), 7);
  test::Floats factor(size_t(s.filters), 0.01f);
  const Requantize epilogue = {bias.data(), factor.data(), 0, 255, 0};
  test::measure(state, 2.0 * double(macs), [&](int64_t) { run(in.data(), weights.data(), out.data(), epilogue); });
}

void convolution(benchmark::State &state) {
  const ConvShape s = shapeOf(state);
  measureBytes(state, s, s.outHeight * s.outWidth * s.filters * s.channels * s.kernelH * s.kernelW,
               [&](auto in, auto weights, auto out, auto epilogue) {
                 intConv<kR, kNR, true, UnsignedBytes>(s, in, weights, out, 0, s.outHeight, epilogue);
               });
}
BENCHMARK(convolution)
    ->Args({3, 16, 34, 3, 1})
    ->Args({16, 16, 34, 3, 1})
    ->Args({64, 64, 10, 3, 1})
    ->Args({16, 96, 122, 1, 1})
    ->Args({320, 1280, 8, 1, 1})
    ->UseManualTime();

void depthwise(benchmark::State &state) {
  const ConvShape s = shapeOf(state);
  measureBytes(state, s, s.outHeight * s.outWidth * s.channels * 9,
               [&](auto in, auto weights, auto out, auto epilogue) {
                 if (s.strideW == 1)
                   intDepthwise<3, 1, UnsignedBytes>(s, in, weights, out, 0, s.outHeight, epilogue);
                 else
                   intDepthwise<3, 2, UnsignedBytes>(s, in, weights, out, 0, s.outHeight, epilogue);
               });
}
BENCHMARK(depthwise)
    ->Args({8, 8, 50, 3, 1})
    ->Args({64, 64, 14, 3, 1})
    ->Args({96, 96, 123, 3, 2})
    ->Args({144, 144, 63, 3, 1})
    ->UseManualTime();

void product(benchmark::State &state) {
  const int64_t m = state.range(0), n = state.range(1), k = state.range(2);
  ConvShape s;
  s.channels = k, s.filters = n;
  s.in.batch = m * k, s.out.batch = m * n;
  measureBytes(state, s, m * n * k, [&](auto in, auto weights, auto out, auto epilogue) {
    intGemm<kR, kNR, UnsignedBytes>(in, k, weights, out, n, m, n, k, epilogue);
  });
}
BENCHMARK(product)->Args({1, 128, 640})->Args({1, 640, 128})->Args({64, 256, 256})->UseManualTime();

} // namespace

BENCHMARK_MAIN();
