// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that pick elements: topk.h, unique.h, non_zero.h, non_max_suppression.h, scatter_elements.h, scatter_nd.h,
// tree_ensemble.h on cases worked out by hand, with ties, NaN and indices out of range.
#include "templates/selection/non_max_suppression.h"
#include "templates/selection/non_zero.h"
#include "templates/selection/scatter_elements.h"
#include "templates/selection/scatter_nd.h"
#include "templates/selection/topk.h"
#include "templates/selection/tree_ensemble.h"
#include "templates/selection/unique.h"
#include "views.h"

#include <doctest/doctest.h>
#include <vector>

using namespace sinter;
using test::dense;

namespace {
using Indices = std::vector<int64_t>;
} // namespace

TEST_CASE("topk: order, ties by place, NaN the largest") {
  const float nan = __builtin_nanf("");
  const float x[] = {1, 3, 3, 2, nan, 0, 5, 5};
  float values[6];
  int64_t places[6], order[4];
  topk(TopkParams{1, true}, dense(x, 2, 4), dense(values, 2, 3), dense(places, 2, 3), dense(order, 4));
  CHECK(Indices(places, places + 6) == Indices{1, 2, 3, 0, 2, 3});
  CHECK(values[0] == 3);
  CHECK(values[3] != values[3]);
  topk(TopkParams{1, false}, dense(x, 2, 4), dense(values, 2, 3), dense(places, 2, 3), dense(order, 4));
  CHECK(Indices(places, places + 6) == Indices{0, 3, 1, 1, 2, 3});
}

TEST_CASE("unique: sorted and by first appearance") {
  const float x[] = {2, 1, 1, 3, 4, 3};
  int64_t first[6], inverse[6], counts[6], count, order[6];
  unique(UniqueParams{true}, dense(x, 6, 1), dense(first, 6), dense(inverse, 6), dense(counts, 6),
         View<int64_t, 0>{&count}, dense(order, 6));
  CHECK(count == 4);
  CHECK(Indices(first, first + 4) == Indices{1, 0, 3, 4});
  CHECK(Indices(inverse, inverse + 6) == Indices{1, 0, 0, 2, 3, 2});
  CHECK(Indices(counts, counts + 4) == Indices{2, 1, 2, 1});
  unique(UniqueParams{false}, dense(x, 6, 1), dense(first, 6), dense(inverse, 6), dense(counts, 6),
         View<int64_t, 0>{&count}, dense(order, 6));
  CHECK(Indices(first, first + 4) == Indices{0, 1, 3, 4});
  CHECK(Indices(inverse, inverse + 6) == Indices{0, 1, 1, 2, 3, 2});
  CHECK(Indices(counts, counts + 4) == Indices{1, 2, 2, 1});
}

TEST_CASE("non_zero: columns of places") {
  const float x[] = {0, 2, 0, -1};
  int64_t places[8], count;
  nonZero(dense(x, 2, 2), dense(places, 2, 4), View<int64_t, 0>{&count});
  CHECK(count == 2);
  CHECK(places[0] == 0);
  CHECK(places[1] == 1);
  CHECK(places[4] == 1);
  CHECK(places[5] == 1);
}

TEST_CASE("non_max_suppression: overlapping boxes go, capacity is reported") {
  const float boxes[] = {0, 0, 1, 1, 0, 0.1f, 1, 1.1f, 0, 10, 1, 11}, scores[] = {0.9f, 0.75f, 0.6f};
  const int64_t most = 3;
  const float iou = 0.5f, least = 0;
  int64_t selected[9], count, order[12];
  const auto run = [&](int64_t capacity) {
    nonMaxSuppression(NonMaxSuppressionParams{false, true}, View<const float, 3>{boxes, {1, 3, 4}, {12, 4, 1}},
                      View<const float, 3>{scores, {1, 1, 3}, {3, 3, 1}}, View<const int64_t, 0>{&most},
                      View<const float, 0>{&iou}, View<const float, 0>{&least}, dense(selected, capacity, 3),
                      View<int64_t, 0>{&count}, dense(order, 12));
  };
  run(3);
  CHECK(count == 2);
  CHECK(selected[2] == 0);
  CHECK(selected[5] == 2);
  run(1);
  CHECK(count == 2); // more than there is room for
}

TEST_CASE("scatter: reductions, negative indices, and a status for those outside") {
  const float data[] = {1, 2, 3}, updates[] = {10, 20};
  const int64_t good[] = {-1, -1}, bad[] = {0, 3};
  float y[3];
  CHECK(scatterElements(ScatterElementsParams{0, 1}, dense(data, 3), dense(good, 2), dense(updates, 2), dense(y, 3)) ==
        0);
  CHECK(y[2] == 33);
  CHECK(scatterElements(ScatterElementsParams{0, 0}, dense(data, 3), dense(bad, 2), dense(updates, 2), dense(y, 3)) ==
        5);
  CHECK(y[0] == 10);
  CHECK(y[1] == 2);
  CHECK(scatterNd(ScatterNdParams{3}, View<const float, 2>{data, {3, 1}, {1, 1}}, dense(good, 2, 1),
                  dense(updates, 2, 1), dense(y, 3, 1)) == 0);
  CHECK(y[2] == 20);
}

TEST_CASE("tree_ensemble: keys of numbers are in their order") {
  const float numbers[] = {-__builtin_inff(), -3e38f, -1, -1e-40f, 0, 1e-40f, 1, 3e38f, __builtin_inff()};
  for (size_t i = 1; i < sizeof numbers / sizeof *numbers; ++i) {
    CHECK(treeKey<int32_t>(numbers[i - 1], 0) < treeKey<int32_t>(numbers[i], 0));
    CHECK(treeKey<int64_t>(double(numbers[i - 1]), int64_t(0)) < treeKey<int64_t>(double(numbers[i]), int64_t(0)));
  }
  CHECK(treeKey<int32_t>(-0.0f, 1) == treeKey<int32_t>(0.0f, 1));
  CHECK(treeKey<int32_t>(__builtin_nanf(""), 7) == 7);
}

TEST_CASE("tree_ensemble: branches, missing values, aggregates") {
  // Node 0: x[0] <= 1 ? leaf 1 (weight 2) : leaf 2 (weight 4); missing values go left, as the second column has them.
  const int32_t one = treeKey<int32_t>(1.0f, 0), links[] = {1, 1, 0, 1, 0, 2}, starts[] = {0, 0, 1, 2},
                targets[] = {0, 0}, roots[] = {0, 1, 1, 0, 1, 1}, threshold[] = {one, INT32_MAX, INT32_MAX};
  const float weights[] = {2, 4}, byNode[] = {0, 2, 4}, base[] = {0.5f}, x[] = {1, 2, __builtin_nanf("")};
  float y[3];
  int32_t keys[6];
  const auto run = [&](int64_t aggregate, bool oneWeight = false) {
    treeEnsemble(TreeEnsembleParams{aggregate, oneWeight}, dense(x, 3, 1), dense(links, 3, 2), dense(threshold, 3),
                 dense(starts, 4), dense(targets, 2), oneWeight ? dense(byNode, 3) : dense(weights, 2),
                 dense(roots, 2, 3), dense(base, 1), dense(y, 3, 1), dense(keys, 3, 2));
  };
  run(0);
  CHECK(y[0] == 4.5f);
  CHECK(y[1] == 8.5f);
  CHECK(y[2] == 4.5f);
  run(1);
  CHECK(y[0] == 2.5f);
  run(2);
  CHECK(y[1] == 4.5f);
  run(0, true);
  CHECK(y[0] == 4.5f);
  CHECK(y[1] == 8.5f);
}
