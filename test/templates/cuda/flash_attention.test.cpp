// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention against its definition in double: sizes of heads, queries and keys that are no whole tiles, masks, rows
// that see nothing, warps that share keys.
#include "device_test.h"

#include "templates/cuda/attention_tiles.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

namespace {

/// What queries meet; depth and width are those of Q and K, and of V.
struct Sizes {
  int queries, keys, depth, width;
};

/// Finite operands never need it.
struct FailingRow {
  void operator()(int) const { FAIL("a row without the unit"); }
};

template <class Tile, bool kAligned = true, class Mask>
void checkAttention(const Sizes &s, Mask mask, bool zerosMasked = true) {
  using T = typename Tile::Element;
  CAPTURE(s.queries);
  CAPTURE(s.keys);
  CAPTURE(s.depth);
  const int stride = 2 * s.depth + s.width + (kAligned ? 0 : 1); // Q, K and V side by side
  Tensor<T> q(size_t(s.queries * stride), 1, -2.0f, 2.0f), kv(size_t(s.keys * stride), 2, -2.0f, 2.0f);
  Tensor<T> out(size_t(s.queries * s.width));
  const float scale = 1.0f / std::sqrt(float(s.depth));
  emulation::Grid grid;
  grid.x = ceilDiv(s.queries, Tile::kQueries);
  grid.threads = Tile::kThreads;
  grid.sharedBytes = Tile::kSharedBytes;
  runInAllOrders(grid, out, [&] {
    attention<Tile, kAligned>(HeadRows<T>{q.data(), stride, s.queries, s.depth},
                              HeadRows<T>{kv.data() + s.depth, stride, s.keys, s.depth},
                              HeadRows<T>{kv.data() + 2 * s.depth, stride, s.keys, s.width},
                              HeadResults<T>{out.data(), s.width, s.queries, s.width, zerosMasked},
                              blockX() * Tile::kQueries, scale, mask, FailingRow{});
  });
  std::vector<double> expected;
  for (int i = 0; i < s.queries; ++i) {
    std::vector<double> weights, sums(size_t(s.width));
    double largest = -INFINITY, total = 0;
    for (int j = 0; j < s.keys; ++j) {
      double score = 0;
      for (int d = 0; d < s.depth; ++d)
        score += q.at(i * stride + d) * kv.at(j * stride + s.depth + d);
      weights.push_back(score * double(scale) + double(mask(i, j)));
      largest = std::fmax(largest, weights.back());
    }
    for (double &weight : weights)
      total += weight = largest == -INFINITY ? 0 : std::exp(weight - largest);
    for (int j = 0; j < s.keys; ++j)
      for (int d = 0; d < s.width; ++d)
        sums[size_t(d)] += total == 0 ? 0 : weights[size_t(j)] / total * kv.at(j * stride + 2 * s.depth + d);
    expected.insert(expected.end(), sums.begin(), sums.end());
  }
  CHECK(relativeError(out, expected) < kTolerance<T>);
}

} // namespace

TEST_CASE("attention, without a mask") {
  checkAttention<AttentionTile<f16, 64, 64, 1, 1, 32, 2>>({16, 32, 64, 64}, NoMask{});
  checkAttention<AttentionTile<f16, 64, 64, 1, 1, 32, 2>>({20, 77, 64, 64}, NoMask{});
  checkAttention<AttentionTile<f16, 64, 64, 2, 1, 32, 1>>({50, 40, 64, 64}, NoMask{});
  checkAttention<AttentionTile<f16, 32, 32, 1, 1, 16, 2>>({5, 1, 32, 32}, NoMask{});
  checkAttention<AttentionTile<f16, 128, 128, 1, 1, 16, 2>>({16, 33, 128, 128}, NoMask{});
  checkAttention<AttentionTile<f16, 256, 256, 1, 1, 16, 2>>({17, 20, 256, 256}, NoMask{});
}

TEST_CASE("attention of heads that do not fill a tile, and of rows that are not aligned") {
  checkAttention<AttentionTile<f16, 96, 96, 2, 1, 16, 2>>({20, 50, 80, 80}, NoMask{});
  checkAttention<AttentionTile<f16, 64, 32, 1, 1, 32, 2>>({20, 50, 40, 24}, NoMask{});
  checkAttention<AttentionTile<f16, 32, 32, 1, 2, 16, 1>, false>({9, 21, 5, 7}, NoMask{});
  checkAttention<AttentionTile<f16, 32, 64, 1, 1, 16, 1>, false>({9, 21, 31, 34}, NoMask{});
}

TEST_CASE("attention of a few queries, whose keys several warps share") {
  checkAttention<AttentionTile<f16, 64, 64, 1, 4, 32, 2>>({1, 300, 64, 64}, NoMask{});
  checkAttention<AttentionTile<f16, 64, 64, 1, 4, 32, 1>>({37, 128, 64, 64}, NoMask{});
  checkAttention<AttentionTile<f16, 128, 128, 1, 8, 16, 2>>({3, 100, 128, 128}, NoMask{}); // some have no key
  checkAttention<AttentionTile<f16, 96, 32, 2, 2, 16, 1>>({40, 70, 96, 32}, CausalMask{30});
}

TEST_CASE("attention, causal, with keys before the first query; and with keys that are hidden in front") {
  checkAttention<AttentionTile<f16, 64, 64, 1, 1, 32, 2>>({40, 40, 64, 64}, CausalMask{});
  checkAttention<AttentionTile<f16, 32, 32, 2, 1, 16, 2>>({20, 50, 32, 32}, CausalMask{30});
  Tensor<float> mask(50);
  for (size_t j = 0; j < 50; ++j)
    mask[j] = j < 40 ? -INFINITY : 0.25f * float(j);
  checkAttention<AttentionTile<f16, 32, 32, 1, 1, 16, 2>>({20, 50, 32, 32}, AddedMask<float>{mask.data(), 0});
  checkAttention<AttentionTile<f16, 32, 32, 1, 2, 16, 1>>({20, 50, 32, 32}, AddedMask<float>{mask.data(), 0});
}

TEST_CASE("attention with a mask for each query, of which nothing behind the last is read; the least float hides") {
  Tensor<f16> mask(20 * 50, 3, -4.0f, 4.0f);
  checkAttention<AttentionTile<f16, 32, 32, 1, 2, 16, 1>>({20, 50, 32, 32}, AddedMask<f16>{mask.data(), 50});
  Tensor<float> least(20);
  for (size_t j = 0; j < 20; ++j)
    least[j] = j % 3 == 0 ? 0.0f : -3.40282347e38f;
  checkAttention<AttentionTile<f16, 32, 32, 1, 1, 16, 2>>({4, 20, 32, 32}, AddedMask<float>{least.data(), 0});
}

TEST_CASE("attention of rows that see no key: zeros, or NaN") {
  checkAttention<AttentionTile<f16, 32, 32, 1, 1, 16, 2>>({8, 20, 32, 32}, CausalMask{-4});
  checkAttention<AttentionTile<f16, 32, 32, 1, 2, 16, 1>>({8, 20, 32, 32}, CausalMask{-4});
  using Tile = AttentionTile<f16, 32, 32, 1, 1, 16, 1>;
  Tensor<f16> rows(16 * 32, 1, -2.0f, 2.0f), out(2 * 32);
  emulation::Grid grid;
  grid.threads = Tile::kThreads;
  grid.sharedBytes = Tile::kSharedBytes;
  const HeadRows<f16> all{rows.data(), 32, 2, 32};
  REQUIRE(emulation::launch(grid, [&] {
            attention<Tile, true>(all, all, all, HeadResults<f16>{out.data(), 32, 2, 32, false}, 0, 1.0f,
                                  CausalMask{-1});
          }) == "");
  CHECK(std::isnan(out.at(0)));   // sees nothing
  CHECK(!std::isnan(out.at(32))); // sees the first
}

#if SINTER_CUDA_ARCH >= 800
TEST_CASE("attention in bf16") {
  checkAttention<AttentionTile<bf16, 64, 64, 2, 1, 32, 2>>({33, 65, 64, 64}, CausalMask{32});
  checkAttention<AttentionTile<bf16, 64, 64, 1, 2, 32, 1>>({33, 65, 64, 64}, NoMask{});
}

TEST_CASE("attention in float, as three products of TF32") {
  checkAttention<AttentionTile<float, 64, 64, 1, 1, 32, 2>>({16, 32, 64, 64}, NoMask{});
  checkAttention<AttentionTile<float, 64, 64, 2, 1, 32, 2>>({33, 197, 64, 64}, NoMask{});
  checkAttention<AttentionTile<float, 64, 64, 1, 4, 32, 1>>({20, 300, 64, 64}, NoMask{});
  checkAttention<AttentionTile<float, 64, 64, 4, 1, 64, 2>>({70, 130, 64, 64}, CausalMask{60});
  checkAttention<AttentionTile<float, 32, 32, 1, 1, 16, 2>>({5, 1, 32, 32}, NoMask{});
  checkAttention<AttentionTile<float, 128, 128, 2, 2, 16, 1>>({40, 70, 128, 128}, CausalMask{30});
}

TEST_CASE("attention in float of heads that do not fill a tile, and of rows that are not aligned") {
  checkAttention<AttentionTile<float, 96, 96, 2, 1, 16, 2>>({20, 50, 80, 80}, NoMask{});
  checkAttention<AttentionTile<float, 64, 32, 1, 1, 32, 2>>({20, 50, 40, 24}, NoMask{});
  checkAttention<AttentionTile<float, 32, 32, 1, 2, 16, 1>, false>({9, 21, 5, 7}, NoMask{});
  checkAttention<AttentionTile<float, 32, 64, 1, 1, 16, 1>, false>({9, 21, 31, 34}, NoMask{});
}

TEST_CASE("attention in float with masks, and of rows that see no key") {
  Tensor<float> mask(20 * 50, 3, -4.0f, 4.0f), hidden(50);
  for (size_t j = 0; j < 50; ++j)
    hidden[j] = j < 40 ? -INFINITY : 0.25f * float(j);
  checkAttention<AttentionTile<float, 32, 32, 1, 2, 16, 1>>({20, 50, 32, 32}, AddedMask<float>{mask.data(), 50});
  checkAttention<AttentionTile<float, 32, 32, 1, 1, 16, 2>>({20, 50, 32, 32}, AddedMask<float>{hidden.data(), 0});
  checkAttention<AttentionTile<float, 32, 32, 1, 4, 16, 1>>({20, 50, 32, 32}, AddedMask<float>{hidden.data(), 0});
  checkAttention<AttentionTile<float, 32, 32, 1, 1, 16, 2>>({8, 20, 32, 32}, CausalMask{-4});
  checkAttention<AttentionTile<float, 32, 32, 1, 2, 16, 1>>({8, 20, 32, 32}, CausalMask{-4});
}

namespace {

/// The same operands by tiles and by a warp for each query. Bits of what is not finite, and distances of the rest.
template <class Tile>
void checkInfinite(Tensor<float> &q, Tensor<float> &k, Tensor<float> &v) {
  constexpr int rows = 20, size = 32;
  Tensor<float> mask(rows), tiles(rows * size), plain(rows * size);
  for (size_t j = 0; j < rows; ++j)
    mask[j] = j % 5 == 4 ? -INFINITY : 0.0f;
  const auto head = [](const float *data) {
    return sinter::View<const float, 4>{data, {1, 1, rows, size}, {rows * size, rows * size, size, 1}};
  };
  const auto results = [](float *data) {
    return sinter::View<float, 4>{data, {1, 1, rows, size}, {rows * size, rows * size, size, 1}};
  };
  const sinter::View<const float, 4> added{mask.data(), {1, 1, 1, rows}, {rows, rows, rows, 1}};
  const sinter::AttentionHeadsParams params{0.25, true};
  emulation::Grid grid;
  grid.x = ceilDiv(rows, Tile::kQueries);
  grid.threads = Tile::kThreads;
  grid.sharedBytes = Tile::kSharedBytes;
  runInAllOrders(grid, tiles, [&] {
    attentionTiles<Tile, true>(params, head(q.data()), head(k.data()), head(v.data()), added, results(tiles.data()),
                               sinter::View<float, 1>{});
  });
  grid.x = rows;
  grid.threads = 32;
  runInAllOrders(grid, plain, [&] {
    sinter::attentionHeadsRow(blockX(), params, head(q.data()), head(k.data()), head(v.data()), added,
                              results(plain.data()), sinter::View<float, 1>{});
  });
  for (size_t i = 0; i < plain.size(); ++i) {
    CAPTURE(i);
    if (std::isfinite(plain[i]))
      CHECK(std::fabs(tiles[i] - plain[i]) <= 1e-5f * std::fmax(1.0f, std::fabs(plain[i])));
    else
      CHECK((std::isnan(plain[i]) ? std::isnan(tiles[i]) : tiles[i] == plain[i]));
  }
}

} // namespace

TEST_CASE("attention in float gives what float arithmetic gives where operands are infinite or no numbers") {
  using Alone = AttentionTile<float, 32, 32, 1, 1, 16, 2>;
  using Shared = AttentionTile<float, 32, 32, 1, 2, 16, 1>;
  constexpr size_t size = 20 * 32;
  for (const float odd : {INFINITY, -INFINITY, NAN, 3e38f})
    for (const int which : {0, 1, 2})
      for (const size_t place : {size_t(3 * 32 + 5), size_t(4 * 32), size_t(18 * 32 + 31)}) {
        Tensor<float> q(size, 1, -2.0f, 2.0f), k(size, 2, -2.0f, 2.0f), v(size, 3, -2.0f, 2.0f);
        (which == 0 ? q : which == 1 ? k : v)[place] = odd;
        CAPTURE(odd);
        CAPTURE(which);
        CAPTURE(place);
        checkInfinite<Alone>(q, k, v);
        checkInfinite<Shared>(q, k, v);
      }
}
#endif

TEST_CASE("attention of generated code: heads and batches between rows, a mask that is everyone's in some dims") {
  using Tile = AttentionTile<f16, 32, 32, 1, 1, 16, 2>;
  constexpr int batches = 2, heads = 3, rows = 20, size = 32, stride = 3 * heads * size;
  Tensor<f16> qkv(batches * rows * stride, 5, -2.0f, 2.0f), out(batches * rows * heads * size), one(rows * size);
  Tensor<float> mask(batches * rows, 6, -1.0f, 1.0f);
  const auto part = [&](int which) {
    return sinter::View<const f16, 4>{
        qkv.data() + which * heads * size, {batches, heads, rows, size}, {rows * stride, size, stride, 1}};
  };
  const sinter::View<f16, 4> results{
      out.data(), {batches, heads, rows, size}, {rows * heads * size, size, heads * size, 1}};
  const sinter::View<const float, 4> added{mask.data(), {batches, 1, 1, rows}, {rows, rows, rows, 1}};
  emulation::Grid grid;
  grid.x = ceilDiv(rows, Tile::kQueries) * heads * batches;
  grid.threads = Tile::kThreads;
  grid.sharedBytes = Tile::kSharedBytes;
  runInAllOrders(grid, out, [&] {
    attentionTiles<Tile, true>(sinter::AttentionHeadsParams{0.25, true}, part(0), part(1), part(2), added, results,
                               sinter::View<float, 1>{});
  });
  grid.x = ceilDiv(rows, Tile::kQueries);
  for (int n = 0; n < batches; ++n)
    for (int h = 0; h < heads; ++h) {
      const auto head = [&](int which) {
        return HeadRows<f16>{qkv.data() + n * rows * stride + (which * heads + h) * size, stride, rows, size};
      };
      runInAllOrders(grid, one, [&] {
        attention<Tile, true>(head(0), head(1), head(2), HeadResults<f16>{one.data(), size, rows, size, true},
                              blockX() * Tile::kQueries, 0.25f, AddedMask<float>{mask.data() + n * rows, 0});
      });
      for (int i = 0; i < rows; ++i)
        CHECK(std::memcmp(one.data() + i * size, out.data() + ((n * rows + i) * heads + h) * size, size * 2) == 0);
    }
}
