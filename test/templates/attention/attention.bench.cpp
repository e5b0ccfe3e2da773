// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// attention.h, attention_heads.h on transformers' lengths: many queries, and one at a time as text generation has them.
// Arguments: queries, keys.
#include "packing.h"
#include "probe.h"
#include "templates/attention/attention_heads.h"
#include "views.h"

using namespace sinter;
using test::kNR;
using test::kR;

namespace {

constexpr int64_t kDepth = 64, kHeads = 12;

void oneHead(benchmark::State &state) {
  const int64_t l = state.range(0), s = state.range(1);
  const AttentionShape shape{l, s, kDepth, kDepth, kDepth, kDepth, kDepth, kDepth};
  test::Floats q(size_t(l * kDepth), -1, 1), k(size_t(s * kDepth), -1, 1), v(size_t(s * kDepth), -1, 1),
      out(size_t(l * kDepth), 0), scratch(size_t(attentionScratch<kR>(shape)), 0);
  test::measure(state, 4.0 * double(l * s * kDepth), [&](int64_t) {
    attention<kR, kNR>(
        shape, q.data(), k.data(), v.data(), out.data(), scratch.data(),
        [](auto x, int64_t, int64_t) { return x * 0.125f; }, [&](int64_t) { return s; }, Identity{});
  });
}
BENCHMARK(oneHead)->Args({128, 128})->Args({384, 384})->UseManualTime();

/// Heads lie between rows, as projections leave them; with a mask [1, 1, l, s].
void heads(benchmark::State &state) {
  const int64_t l = state.range(0), s = state.range(1), width = kHeads * kDepth;
  const AttentionShape shape{l, s, kDepth, kDepth, 0, 0, 0, 0};
  test::Floats q(size_t(l * width), -1, 1), k(size_t(s * width), -1, 1), v(size_t(s * width), -1, 1),
      mask(size_t(l * s), 0), out(size_t(l * width), 0), scratch(size_t(attentionScratch<kAttentionRows>(shape)), 0);
  const auto view = [&](float *data, int64_t length) {
    return View<float, 4>{data, {1, kHeads, length, kDepth}, {length * width, kDepth, width, 1}};
  };
  test::measure(state, 4.0 * double(l * s * width), [&](int64_t) {
    attentionHeads(AttentionHeadsParams{0.125, false}, view(q.data(), l), view(k.data(), s), view(v.data(), s),
                   test::dense(mask.data(), 1, 1, l, s), view(out.data(), l), test::dense(scratch.data(), 1));
  });
}
BENCHMARK(heads)->Args({64, 64})->Args({197, 197})->Args({1, 256})->UseManualTime();

} // namespace

BENCHMARK_MAIN();
