// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention by a block for each query and by a warp for each, against the definition: keys fewer and more than the
// warps take at a time, heads wider than a pass, rows aligned or not, masks that hide some keys, all of the first ones,
// or all.
#include "device_test.h"

#include "templates/cuda/attention_block.h"

#include <doctest/doctest.h>

#include <vector>

using namespace sinter;
using cuda::emulation::Grid;
using cuda::test::Tensor;

namespace {
constexpr int kHeads = 2, kQueries = 3, kWarps = 4;

struct Case {
  int keys, depth, width;
  bool isMasked;
};

void check(const Case &of) {
  const int64_t keys = of.keys, depth = of.depth, width = of.width;
  Tensor<float> q(size_t(kHeads * kQueries * depth), 1, -1, 1), k(size_t(kHeads * keys * depth), 2, -1, 1),
      v(size_t(kHeads * keys * width), 3, -1, 1), mask(size_t(kQueries * keys)),
      byBlock(size_t(kHeads * kQueries * width)), byWarp(byBlock.size());
  for (int64_t i = 0; i < kQueries; ++i)
    for (int64_t j = 0; j < keys; ++j) // the first sees few, the second none of the first, the last nothing
      mask[size_t(i * keys + j)] = (i == 0 ? j % 7 != 0 : i == 1 ? j < keys / 2 : true) ? -INFINITY : 0.5f;
  AttentionHeadsParams params = {};
  params.scale = 0.25;
  params.zero_masked_rows = true;
  const View<const float, 4> viewQ{q.data(), {1, kHeads, kQueries, depth}, {0, kQueries * depth, depth, 1}},
      viewK{k.data(), {1, kHeads, keys, depth}, {0, keys * depth, depth, 1}},
      viewV{v.data(), {1, kHeads, keys, width}, {0, keys * width, width, 1}},
      viewMask{mask.data(), {1, 1, kQueries, keys}, {0, 0, keys, 1}};
  const auto viewOf = [&](Tensor<float> &out) {
    return View<float, 4>{out.data(), {1, kHeads, kQueries, width}, {0, kQueries * width, width, 1}};
  };
  const View<float, 1> none{nullptr, {0}, {1}};
  Grid grid;
  grid.x = kHeads * kQueries;
  grid.threads = kWarps * 32;
  grid.sharedBytes = AttentionBlock<kWarps>::kSharedBytes;
  CHECK(cuda::emulation::launchInAllOrders(grid, [&] {
          if (of.isMasked)
            attentionHeadsBlock<AttentionBlock<kWarps>>(params, viewQ, viewK, viewV, viewMask, viewOf(byBlock), none);
          else
            attentionHeadsBlock<AttentionBlock<kWarps>>(params, viewQ, viewK, viewV, viewOf(byBlock), none);
        }) == "");
  grid.threads = 32;
  CHECK(cuda::emulation::launch(grid, [&] {
          if (of.isMasked)
            attentionHeadsRow(cuda::blockX(), params, viewQ, viewK, viewV, viewMask, viewOf(byWarp), none);
          else
            attentionHeadsRow(cuda::blockX(), params, viewQ, viewK, viewV, viewOf(byWarp), none);
        }) == "");
  for (int64_t row = 0; row < kHeads * kQueries; ++row) {
    const int64_t h = row / kQueries, i = row % kQueries;
    std::vector<double> shares;
    double total = 0;
    for (int64_t j = 0; j < keys; ++j) {
      double dot = 0;
      for (int64_t e = 0; e < depth; ++e)
        dot += q.at(size_t(row * depth + e)) * k.at(size_t((h * keys + j) * depth + e));
      shares.push_back(std::exp(dot * 0.25 + (of.isMasked ? mask.at(size_t(i * keys + j)) : 0)));
      total += shares.back();
    }
    for (int64_t d = 0; d < width; ++d) {
      double expected = 0;
      for (int64_t j = 0; j < keys && total > 0; ++j)
        expected += shares[size_t(j)] / total * v.at(size_t((h * keys + j) * width + d));
      CHECK(byBlock.at(size_t(row * width + d)) == doctest::Approx(expected).epsilon(1e-5).scale(1));
      CHECK(byWarp.at(size_t(row * width + d)) == doctest::Approx(expected).epsilon(1e-5).scale(1));
    }
  }
}
} // namespace

TEST_CASE("attention whose keys the warps of a block share") {
  check({300, 16, 32, false}); // aligned
  check({300, 16, 32, true});
  check({129, 9, 7, true});
  check({20, 5, 3, false});   // most warps have nothing
  check({140, 8, 150, true}); // two passes
}
