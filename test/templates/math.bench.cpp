// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions, softmax, normalisation, pooling, attention: nanoseconds per call, data in the first or second-level cache.
#include "probe.h"
#include "templates/attention.h"
#include "templates/math.h"
#include "templates/norm.h"
#include "templates/pool.h"

using namespace sinter;

namespace {

template <class F>
void function(benchmark::State &state, F f) {
  constexpr int64_t n = 4096;
  test::Floats in(n, 0.7f), out(n, 0);
  for (int64_t i = 0; i < n; ++i)
    in.data()[i] = float(i) / n * 4 - 2;
  const double start = test::threadSeconds();
  for (auto _ : state) {
    map<float>(
        n, [&](auto tag, int64_t i) { store(out.data() + i, f(load<typename decltype(tag)::Type>(in.data() + i))); });
    benchmark::DoNotOptimize(out.data());
  }
  state.counters["ns/element"] = (test::threadSeconds() - start) * 1e9 / double(n) / double(state.iterations());
}
#define FUNCTION(name) BENCHMARK_CAPTURE(function, name, [](auto x) { return name(x); })
FUNCTION(exp);
FUNCTION(expNegative);
FUNCTION(tanh);
FUNCTION(sigmoid);
FUNCTION(erf);
FUNCTION(gelu);
FUNCTION(log);
FUNCTION(sin);
FUNCTION(sqrt);
FUNCTION(roundEven);

void softmaxOfRows(benchmark::State &state) {
  const int64_t n = state.range(0);
  test::Floats in(size_t(64 * n), 0.3f), out(size_t(64 * n), 0);
  for (auto _ : state)
    softmaxRows<false>(in.data(), n, out.data(), n, 64, n, Identity{});
}
BENCHMARK(softmaxOfRows)->Arg(64)->Arg(197)->Arg(1000);

void layerNorm(benchmark::State &state) {
  const int64_t n = state.range(0);
  test::Floats in(size_t(64 * n), 0.3f), out(size_t(64 * n), 0);
  float *none = nullptr;
  for (auto _ : state)
    normRows<true>(in.data(), n, out.data(), n, 64, 1, n, 1e-5f, none, none, Identity{});
}
BENCHMARK(layerNorm)->Arg(64)->Arg(768);

void attentionOfHead(benchmark::State &state) {
  constexpr int kR = SINTER_VECTOR_BYTES == 64 ? 14 : 6, kNR = SINTER_VECTOR_BYTES == 64 ? 32 : 16;
  const int64_t n = state.range(0), d = 64;
  const AttentionShape s{n, n, d, d, d, d, d, d};
  test::Floats q(size_t(n * d), 0.1f), k(size_t(n * d), 0.2f), v(size_t(n * d), 0.3f), out(size_t(n * d), 0);
  test::Floats scratch(size_t(attentionScratch<kR>(s)), 0);
  test::measure(state, 4.0 * double(n * n * d), [&](int64_t) {
    attention<kR, kNR>(
        s, q.data(), k.data(), v.data(), out.data(), scratch.data(),
        [](auto x, int64_t, int64_t) { return x * 0.125f; }, [&](int64_t) { return n; }, Identity{});
  });
}
BENCHMARK(attentionOfHead)->Arg(128)->Arg(384)->UseManualTime();

void maxPool(benchmark::State &state) {
  PoolShape s;
  s.channels = s.filters = 64, s.height = s.width = 112, s.outHeight = s.outWidth = 56;
  s.kernelH = s.kernelW = 3, s.strideH = s.strideW = 2, s.padTop = s.padLeft = 1;
  const int64_t block = state.range(0);
  s.in = blockedLayout(64, 112, 112, block);
  s.out = blockedLayout(64, 56, 56, block);
  test::Floats in(size_t(s.in.batch), 0.1f), out(size_t(s.out.batch), 0);
  for (auto _ : state) {
    if (block == 1)
      poolPlanar<float>(s, MaxPool{}, in.data(), out.data(), 0, 56, Identity{});
    else
      pool<float>(s, MaxPool{}, in.data(), out.data(), 0, 56, Identity{});
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(maxPool)->Arg(16)->Arg(64)->Arg(1);

} // namespace

BENCHMARK_MAIN();
