// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention against its definition in double: widths of heads, queries and keys that are no whole tiles, masks.
#include "device_test.h"

#include "templates/cuda/flash_attention.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

namespace {

template <class T, int kWidth, int kWarps, int kKeys, class Mask>
void checkAttention(int queries, int keys, Mask mask) {
  CAPTURE(queries);
  CAPTURE(keys);
  using Tile = AttentionTile<T, kWidth, kWarps, kKeys>;
  const int stride = 3 * kWidth; // Q, K and V side by side
  Tensor<T> q(size_t(queries * stride), 1, -2.0f, 2.0f), kv(size_t(keys * stride), 2, -2.0f, 2.0f);
  Tensor<T> out(size_t(queries * kWidth));
  const float scale = 1.0f / std::sqrt(float(kWidth));
  emulation::Grid grid;
  grid.x = ceilDiv(queries, Tile::kQueries);
  grid.threads = Tile::kThreads;
  grid.sharedBytes = Tile::kSharedBytes;
  runInAllOrders(grid, out, [&] {
    attention<T, kWidth, kWarps, kKeys>(q.data(), stride, kv.data() + kWidth, stride, kv.data() + 2 * kWidth, stride,
                                        out.data(), kWidth, queries, keys, scale, mask);
  });
  std::vector<double> expected;
  for (int i = 0; i < queries; ++i) {
    std::vector<double> weights, sums(kWidth);
    double largest = -1e300, total = 0;
    for (int j = 0; j < keys; ++j) {
      double score = 0;
      for (int d = 0; d < kWidth; ++d)
        score += q.at(i * stride + d) * kv.at(j * stride + kWidth + d);
      weights.push_back(double(mask(float(score * double(scale)), i, j)));
      largest = std::fmax(largest, weights.back());
    }
    for (double &weight : weights)
      total += weight = std::exp(weight - largest);
    for (int j = 0; j < keys; ++j)
      for (int d = 0; d < kWidth; ++d)
        sums[size_t(d)] += weights[size_t(j)] / total * kv.at(j * stride + 2 * kWidth + d);
    expected.insert(expected.end(), sums.begin(), sums.end());
  }
  CHECK(relativeError(out, expected) < kTolerance<T>);
}

} // namespace

TEST_CASE("attention, without a mask") {
  checkAttention<f16, 64, 1, 32>(16, 32, NoMask{});
  checkAttention<f16, 64, 1, 32>(20, 77, NoMask{});
  checkAttention<f16, 64, 2, 32>(50, 40, NoMask{});
  checkAttention<f16, 32, 1, 16>(5, 1, NoMask{});
  checkAttention<f16, 128, 1, 16>(16, 33, NoMask{});
}

TEST_CASE("attention, causal, with keys before the first query; and with keys that are hidden in front") {
  checkAttention<f16, 64, 1, 32>(40, 40, CausalMask{});
  checkAttention<f16, 32, 2, 16>(20, 50, CausalMask{30});
  checkAttention<f16, 32, 1, 16>(20, 50, [](float score, int, int key) { return key < 40 ? -INFINITY : score; });
}

#if SINTER_CUDA_ARCH >= 800
TEST_CASE("attention in bf16") { checkAttention<bf16, 64, 2, 32>(33, 65, CausalMask{32}); }
#endif
