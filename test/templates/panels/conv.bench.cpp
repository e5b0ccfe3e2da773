// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// conv.h, conv_planar.h, depthwise.h on layers of ResNet-50 and MobileNetV2; conv_rows.h and conv_direct.h on what
// these do not take. Arguments: channels, filters, output size, kernel, stride.
#include "templates/panels/conv.h"
#include "packing.h"
#include "probe.h"
#include "templates/direct/conv_rows.h"
#include "templates/panels/conv_planar.h"
#include "templates/panels/depthwise.h"

using namespace sinter;
using test::kNR;
using test::kR;

namespace {

constexpr int kBlock = kLanes<float>;

ConvShape shapeOf(benchmark::State &state) {
  ConvShape s;
  s.channels = state.range(0), s.filters = state.range(1), s.outHeight = s.outWidth = state.range(2);
  s.kernelH = s.kernelW = state.range(3), s.strideH = s.strideW = state.range(4);
  s.padTop = s.padLeft = s.kernelH / 2;
  s.height = s.width = s.outWidth * s.strideW;
  return s;
}

template <class Run>
void convBench(benchmark::State &state, const ConvShape &s, int64_t weightSize, Run run) {
  const int64_t copies = 1 + (8 << 20) / (weightSize * 4);
  test::Floats in(size_t(s.in.batch), 0.5f), w(size_t(weightSize * copies), 0.25f), out(size_t(s.out.batch), 0);
  const double flop =
      2.0 * double(s.channels / s.groups * s.filters * s.outHeight * s.outWidth * s.kernelH * s.kernelW);
  test::measure(state, flop, [&](int64_t i) {
    run(in.data(), w.data() + i % copies * weightSize, out.data(), w.data() + (i + 1) % copies * weightSize);
    benchmark::DoNotOptimize(out.data());
  });
}

void nhwc(benchmark::State &state) {
  ConvShape s = shapeOf(state);
  s.in = blockedLayout(s.channels, s.height, s.width, s.channels);
  s.out = blockedLayout(s.filters, s.outHeight, s.outWidth, s.filters);
  convBench(state, s, s.filters * s.channels * s.kernelH * s.kernelW,
            [&](const float *in, const float *w, float *out, const float *next) {
              conv<kR, kNR>(s, in, w, out, 0, s.outHeight, Identity{}, next);
            });
}
void blocked(benchmark::State &state) {
  ConvShape s = shapeOf(state);
  s.in = blockedLayout(s.channels, s.height, s.width, kBlock);
  s.out = blockedLayout(s.filters, s.outHeight, s.outWidth, kBlock);
  convBench(state, s, s.filters * s.channels * s.kernelH * s.kernelW,
            [&](const float *in, const float *w, float *out, const float *next) {
              conv<kR, kNR>(s, in, w, out, 0, s.outHeight, Identity{}, next);
            });
}
void planar(benchmark::State &state) {
  ConvShape s = shapeOf(state);
  s.in = blockedLayout(s.channels, s.height, s.width, 1);
  s.out = blockedLayout(s.filters, s.outHeight, s.outWidth, kBlock);
  convBench(state, s, s.filters * s.channels * s.kernelH * s.kernelW,
            [&](const float *in, const float *w, float *out, const float *next) {
              convPlanar<kR, kNR>(s, in, w, out, 0, s.outHeight, Identity{}, next);
            });
}
void perChannel(benchmark::State &state) {
  ConvShape s = shapeOf(state);
  s.groups = s.channels;
  s.in = blockedLayout(s.channels, s.height, s.width, kBlock);
  s.out = blockedLayout(s.filters, s.outHeight, s.outWidth, kBlock);
  convBench(state, s, s.channels * s.kernelH * s.kernelW,
            [&](const float *in, const float *w, float *out, const float *) {
              if (s.strideW == 1)
                depthwise<3, 1>(s, in, w, out, 0, s.outHeight, Identity{});
              else
                depthwise<3, 2>(s, in, w, out, 0, s.outHeight, Identity{});
            });
}

/// NCHW at both ends; run(shape, in, weights, out).
template <class Run>
void planarBench(benchmark::State &state, Run run) {
  ConvShape s = shapeOf(state);
  s.in = blockedLayout(s.channels, s.height, s.width, 1);
  s.out = blockedLayout(s.filters, s.outHeight, s.outWidth, 1);
  const auto axis = [&](int64_t in, int64_t out, int64_t inStep, int64_t outStep) {
    return ConvAxis{in, out, s.kernelH, s.strideH, 1, s.padTop, inStep, outStep};
  };
  const ConvDirectShape<2> direct = {
      1,
      s.channels,
      s.filters,
      1,
      s.in,
      s.out,
      {axis(s.height, s.outHeight, s.in.row, s.out.row), axis(s.width, s.outWidth, s.in.pixel, s.out.pixel)}};
  convBench(state, s, s.filters * s.channels * s.kernelH * s.kernelW,
            [&](const float *in, const float *w, float *out, const float *) { run(direct, in, w, out); });
}
void alongRows(benchmark::State &state) {
  planarBench(state, [](const auto &s, const float *in, const float *w, float *out) {
    convRows<float>(s, in, w, out, 0, s.axes[0].out, Identity{});
  });
}
void direct(benchmark::State &state) {
  planarBench(state, [](const auto &s, const float *in, const float *w, float *out) {
    convDirect<float>(s, in, w, out, 0, s.axes[0].out, Identity{});
  });
}

void layers(benchmark::internal::Benchmark *b) {
  b->Args({64, 64, 56, 3, 1})
      ->Args({128, 128, 28, 3, 1})
      ->Args({256, 256, 14, 3, 1})
      ->Args({512, 512, 7, 3, 1})
      ->Args({64, 256, 56, 1, 1})
      ->Args({256, 64, 56, 1, 1})
      ->Args({1024, 256, 14, 1, 1})
      ->Args({2048, 512, 7, 1, 1})
      ->Args({256, 512, 28, 1, 2})
      ->Args({128, 128, 20, 3, 1})
      ->UseManualTime();
}
BENCHMARK(nhwc)->Apply(layers);
BENCHMARK(blocked)->Apply(layers);
BENCHMARK(planar)->Args({3, 64, 112, 7, 2})->Args({3, 32, 112, 3, 2})->UseManualTime();
BENCHMARK(perChannel)
    ->Args({32, 32, 112, 3, 1})
    ->Args({96, 96, 56, 3, 2})
    ->Args({144, 144, 56, 3, 1})
    ->Args({384, 384, 14, 3, 1})
    ->Args({960, 960, 7, 3, 1})
    ->UseManualTime();
BENCHMARK(alongRows)->Args({16, 16, 56, 3, 1})->Args({8, 2, 32, 3, 2})->UseManualTime();
BENCHMARK(direct)->Args({8, 2, 32, 3, 2})->UseManualTime();

} // namespace

BENCHMARK_MAIN();
