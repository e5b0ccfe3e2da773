// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// softmax.h, norm.h, layer_norm.h and cumulate.h on the sizes of transformers and segmentation nets. Arguments: rows,
// their length, and what lies inside of it.
#include "probe.h"
#include "templates/linear_algebra/cumulate.h"
#include "templates/norm/layer_norm.h"
#include "templates/norm/softmax.h"
#include "templates/panels/tile.h"
#include "views.h"

using namespace sinter;
using test::dense;

namespace {

/// run(x, y) of two tensors [rows, n, inner].
template <class Run>
void tensorBench(benchmark::State &state, Run run) {
  const int64_t rows = state.range(0), n = state.range(1), inner = state.range(2), count = rows * n * inner;
  test::Floats in(size_t(count), -3, 3), out(size_t(count), 0);
  const View<const float, 3> x = dense<const float>(in.data(), rows, n, inner);
  test::measureElements(state, count, [&] { run(x, dense(out.data(), rows, n, inner)); });
}

void softmaxAlong(benchmark::State &state) {
  tensorBench(state, [](auto x, auto y) { softmax(SoftmaxParams{false}, x, y); });
}
BENCHMARK(softmaxAlong)->Args({64, 64, 1})->Args({64, 197, 1})->Args({64, 1000, 1})->Args({1, 21, 4096});

void logSoftmaxAlong(benchmark::State &state) {
  tensorBench(state, [](auto x, auto y) { softmax(SoftmaxParams{true}, x, y); });
}
BENCHMARK(logSoftmaxAlong)->Args({64, 1000, 1})->Args({1, 21, 4096});

void layerNormOf(benchmark::State &state, bool centered) {
  const int64_t n = state.range(1);
  test::Floats scale(size_t(n), 1), bias(size_t(n), 0.5f);
  tensorBench(state, [&](auto x, auto y) {
    layerNorm(LayerNormParams{1e-5, centered}, dense(x.data, x.sizes[0], n), dense<const float>(scale.data(), n),
              dense<const float>(bias.data(), n), dense(y.data, x.sizes[0], n));
  });
}
BENCHMARK_CAPTURE(layerNormOf, centered, true)->Args({64, 64, 1})->Args({64, 768, 1});
BENCHMARK_CAPTURE(layerNormOf, rms, false)->Args({64, 768, 1});

void groupNorm(benchmark::State &state) {
  float *none = nullptr;
  tensorBench(state, [&](auto x, auto y) {
    const int64_t row = x.strides[0];
    normRows<true>(x.data, row, y.data, row, x.sizes[0], x.sizes[1], x.sizes[2], 1e-5f, none, none, Identity{});
  });
}
BENCHMARK(groupNorm)->Args({32, 8, 1024});

void instanceNormOfPixels(benchmark::State &state) {
  tensorBench(state, [&](auto x, auto y) {
    normColumns<true>(x.data, y.data, x.sizes[0], x.sizes[1], x.sizes[2], 1e-5f, Identity{});
  });
}
BENCHMARK(instanceNormOfPixels)->Args({1, 1024, 64});

void runningSum(benchmark::State &state) {
  const int64_t axis = 1;
  tensorBench(state, [&](auto x, auto y) { cumulate(CumulateParams{}, x, View<const int64_t, 0>{&axis}, y); });
}
BENCHMARK(runningSum)->Args({64, 512, 1})->Args({1, 512, 64});

} // namespace

BENCHMARK_MAIN();
