// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gemm.h on the shapes of transformers and late convolution layers, weights rotated through more than the second-level
// cache.
#include "templates/gemm.h"
#include "packing.h"
#include "probe.h"

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
    gemm<kR, kNR>(a.data(), lda, weights, c.data(), n, m, n, k, Identity{}, b.data() + (i + 1) % copies * n * k);
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

} // namespace

BENCHMARK_MAIN();
