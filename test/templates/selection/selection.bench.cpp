// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that pick elements, on sizes of detectors and of gradient-boosted trees: topk.h, unique.h, non_zero.h,
// non_max_suppression.h, scatter_elements.h, scatter_nd.h, tree_ensemble.h. And determinant.h.
#include "probe.h"
#include "templates/linear_algebra/determinant.h"
#include "templates/selection/non_max_suppression.h"
#include "templates/selection/non_zero.h"
#include "templates/selection/scatter_elements.h"
#include "templates/selection/scatter_nd.h"
#include "templates/selection/topk.h"
#include "templates/selection/tree_ensemble.h"
#include "templates/selection/unique.h"
#include "views.h"

using namespace sinter;
using test::Buffer;
using test::dense;
using test::Floats;

namespace {

using Indices = std::vector<int64_t>;

/// Whole numbers below `limit`.
Indices below(size_t n, int limit) {
  test::Random random(2);
  Indices all(n);
  for (int64_t &i : all)
    i = random.below(limit);
  return all;
}

void largest(benchmark::State &state) {
  const int64_t rows = 8, n = state.range(0), k = state.range(1);
  Floats x(size_t(rows * n), -1, 1), values(size_t(rows * k), 0);
  Buffer<int64_t> places(size_t(rows * k)), order(static_cast<size_t>(n));
  test::measureElements(state, rows * n, [&] {
    topk(TopkParams{1, true}, dense(x.data(), rows, n), dense(values.data(), rows, k), dense(places.data(), rows, k),
         dense(order.data(), n));
  });
}
BENCHMARK(largest)->Args({1000, 5})->Args({8400, 100})->Args({1000, 1000});

void uniqueOnes(benchmark::State &state) {
  const int64_t n = state.range(0);
  const auto size = static_cast<size_t>(n);
  const Indices x = below(size, int(state.range(1)));
  Buffer<int64_t> first(size), inverse(size), counts(size), order(size), count(1);
  test::measureElements(state, n, [&] {
    unique(UniqueParams{true}, dense(x.data(), n, 1), dense(first.data(), n), dense(inverse.data(), n),
           dense(counts.data(), n), View<int64_t, 0>{count.data()}, dense(order.data(), n));
  });
}
BENCHMARK(uniqueOnes)->Args({4096, 16})->Args({4096, 1 << 20});

void placesOfOnes(benchmark::State &state) {
  constexpr int64_t rows = 64, n = 256;
  const Indices x = below(rows * n, int(state.range(0)));
  Buffer<int64_t> places(2 * rows * n), count(1);
  test::measureElements(state, rows * n, [&] {
    nonZero(dense(x.data(), rows, n), dense(places.data(), 2, rows * n), View<int64_t, 0>{count.data()});
  });
}
BENCHMARK(placesOfOnes)->Arg(2)->Arg(20);

/// Boxes of 20 x 20 over a picture of 320 x 320.
void suppressed(benchmark::State &state) {
  const int64_t n = state.range(0), most = 200;
  const float iou = 0.45f, least = 0.25f;
  Floats boxes(size_t(n * 4), 0, 300), scores(size_t(n), 0, 1);
  for (int64_t i = 0; i < n; ++i) {
    float *box = boxes.data() + i * 4;
    box[2] = box[0] + 20, box[3] = box[1] + 20;
  }
  Buffer<int64_t> selected(size_t(most * 3)), order(size_t(4 * n)), count(1);
  test::measureElements(state, n, [&] {
    nonMaxSuppression(NonMaxSuppressionParams{false, true}, dense<const float>(boxes.data(), 1, n, 4),
                      dense<const float>(scores.data(), 1, 1, n), View<const int64_t, 0>{&most},
                      View<const float, 0>{&iou}, View<const float, 0>{&least}, dense(selected.data(), most, 3),
                      View<int64_t, 0>{count.data()}, dense(order.data(), 4 * n));
  });
}
BENCHMARK(suppressed)->Arg(500)->Arg(4000);

/// Argument: the reduction, none or a sum.
void scatteredElements(benchmark::State &state) {
  constexpr int64_t rows = 64, n = 256;
  Floats data(rows * n, 1), updates(rows * n, 2), y(rows * n, 0);
  const Indices indices = below(rows * n, n);
  test::measureElements(state, rows * n, [&] {
    scatterElements(ScatterElementsParams{1, state.range(0)}, dense(data.data(), rows, n),
                    dense(indices.data(), rows, n), dense(updates.data(), rows, n), dense(y.data(), rows, n));
  });
}
BENCHMARK(scatteredElements)->Arg(0)->Arg(1);

/// Rows of a cache of keys.
void scatteredSlices(benchmark::State &state) {
  constexpr int64_t rows = 256, slice = 64, count = 32;
  Floats data(rows * slice, 1), updates(count * slice, 2), y(rows * slice, 0);
  const Indices indices = below(count, rows);
  test::measureElements(state, rows * slice, [&] {
    scatterNd(ScatterNdParams{state.range(0)}, dense(data.data(), rows, slice), dense(indices.data(), count, 1),
              dense(updates.data(), count, slice), dense(y.data(), rows, slice));
  });
}
BENCHMARK(scatteredSlices)->Arg(0)->Arg(1);

/// Full binary trees, node i's children at 2i + 1 and 2i + 2; nanoseconds for each tree that a row walks. Arguments:
/// trees, depth.
void trees(benchmark::State &state) {
  constexpr int64_t rows = 64, features = 30;
  const int64_t count = state.range(0), inner = (int64_t(1) << state.range(1)) - 1, size = 2 * inner + 1;
  test::Random random(3);
  std::vector<int32_t> links, roots, threshold;
  const Floats weights(size_t(count * size), -1, 1);
  for (int64_t tree = 0; tree < count; ++tree) {
    const auto root = int32_t(tree * size), depth = int32_t(state.range(1));
    roots.insert(roots.end(), {root, depth, depth});
    for (int32_t i = 0; i < size; ++i) {
      const bool isLeaf = i >= inner;
      links.push_back(isLeaf ? 0 : random.below(features));
      links.push_back(root + (isLeaf ? i : 2 * i + 1));
      threshold.push_back(isLeaf ? INT32_MAX : treeKey<int32_t>(random.uniform(), 0));
    }
  }
  std::vector<int32_t> keys(size_t(rows * features));
  const int32_t none = 0;
  const float base = 0.5f;
  Floats x(rows * features, -1, 1), y(rows, 0);
  const auto list = [](const auto &v) { return dense(v.data(), v.size()); };
  test::measureElements(state, rows * count, [&] {
    treeEnsemble(TreeEnsembleParams{0, true}, dense(x.data(), rows, features),
                 dense<const int32_t>(links.data(), threshold.size(), 2), list(threshold), dense(&none, 1),
                 dense(&none, 1), dense<const float>(weights.data(), weights.size()),
                 dense<const int32_t>(roots.data(), count, 3), dense(&base, 1), dense(y.data(), rows, 1),
                 dense(keys.data(), rows, features));
  });
}
BENCHMARK(trees)->Args({100, 6})->Args({500, 8});

void determinants(benchmark::State &state) {
  const int64_t n = state.range(0), batch = 64;
  Floats x(size_t(batch * n * n), -1, 1), y(size_t(batch), 0), work(size_t(n * n), 0);
  test::measureElements(state, batch * n * n, [&] {
    determinant(dense<const float>(x.data(), batch, n, n), dense(y.data(), batch), dense(work.data(), n, n));
  });
}
BENCHMARK(determinants)->Arg(4)->Arg(32);

} // namespace

BENCHMARK_MAIN();
