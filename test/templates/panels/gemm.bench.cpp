// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gemm.h on the shapes of transformers and late convolution layers, weights rotated through more than the second-level
// cache; gemm_unpacked.h on products of attention; matmul_direct.h on small ones.
#include "templates/panels/gemm.h"
#include "packing.h"
#include "probe.h"
#include "templates/direct/gemm_unpacked.h"
#include "templates/direct/matmul_direct.h"

using namespace sinter;
using test::kNR;
using test::kR;

namespace {

void gemmBench(benchmark::State &state) {
  const int64_t m = state.range(0), n = state.range(1), k = state.range(2), lda = k + 16;
  const int64_t copies = 1 + (8 << 20) / (n * k * 4);
  test::Floats a(size_t(m * lda), 0.5f), b(size_t(n * k * copies), 0.25f), c(size_t(m * n), 0);
  test::measure(state, 2.0 * double(m * n * k), [&](int64_t i) {
    const float *weights = b.data() + i % copies * n * k;
    gemm<kR, kNR>(a.data(), lda, Fixed<1>{}, weights, c.data(), n, m, n, k, Identity{},
                  b.data() + (i + 1) % copies * n * k);
    benchmark::DoNotOptimize(c.data());
  });
}
BENCHMARK(gemmBench)
    ->Args({128, 768, 768})
    ->Args({128, 3072, 768})
    ->Args({128, 768, 3072})
    ->Args({49, 512, 2048})
    ->Args({16, 768, 768})
    ->Args({8, 768, 768})
    ->Args({1, 768, 768})
    ->Args({4, 768, 768})
    ->Args({3136, 64, 64})
    ->Args({784, 128, 512})
    ->UseManualTime();

/// run(a, b, c): A [m, k], k * n of B in any order, C [m, n].
template <class Run>
void unpackedBench(benchmark::State &state, Run run) {
  const int64_t m = state.range(0), n = state.range(1), k = state.range(2);
  test::Floats a(size_t(m * k), 0.5f), b(size_t(k * n), 0.25f), c(size_t(m * n), 0);
  test::measure(state, 2.0 * double(m * n * k), [&](int64_t) { run(m, n, k, a.data(), b.data(), c.data()); });
}
void rowsOfB(benchmark::State &state) {
  unpackedBench(state, [](int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c) {
    gemmRows<kR, kNR>(a, k, Fixed<1>{}, b, n, c, n, m, n, k, Identity{});
  });
}
BENCHMARK(rowsOfB)->Args({128, 64, 128})->Args({128, 128, 64})->Args({49, 50, 49})->UseManualTime();
void dotsOfB(benchmark::State &state) {
  unpackedBench(state, [](int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c) {
    gemmDots(a, k, b, k, c, n, m, n, k, Identity{});
  });
}
BENCHMARK(dotsOfB)->Args({128, 128, 64})->Args({1, 256, 64})->UseManualTime();
void direct(benchmark::State &state) {
  unpackedBench(state, [](int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c) {
    matmulDirect<float>([&](int64_t i, int64_t p) { return a[i * k + p]; },
                        [&](int64_t p, int64_t j) { return b[j * k + p]; }, c, n, 1, m, n, k, Identity{});
  });
}
BENCHMARK(direct)->Args({16, 16, 16})->Args({64, 64, 64})->UseManualTime();

} // namespace

BENCHMARK_MAIN();
