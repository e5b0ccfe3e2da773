// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of selection.test.cpp on made-up data of odd sizes, against plain loops over the definitions.
#include "templates/selection/non_max_suppression.h"
#include "templates/selection/non_zero.h"
#include "templates/selection/scatter_elements.h"
#include "templates/selection/scatter_nd.h"
#include "templates/selection/topk.h"
#include "templates/selection/tree_ensemble.h"
#include "templates/selection/unique.h"
#include "ulp.h"
#include "views.h"

#include <algorithm>
#include <doctest/doctest.h>

using namespace sinter;
using test::dense;
using test::Random;

namespace {

const int64_t kSizes[] = {1, 2, 3, 7, 16, 17, 33, 100};
using Indices = std::vector<int64_t>;

Indices upTo(int64_t n) {
  Indices all;
  for (int64_t i = 0; i < n; ++i)
    all.push_back(i);
  return all;
}
/// Few different values, so that there are ties.
std::vector<float> withTies(Random &random, int64_t n, int values) {
  std::vector<float> all;
  for (int64_t i = 0; i < n; ++i)
    all.push_back(float(random.below(values)));
  return all;
}

} // namespace

TEST_CASE("topk against a sort") {
  for (const int64_t n : kSizes)
    for (const int64_t k : {int64_t(1), (n + 1) / 2, n})
      for (const bool largest : {true, false}) {
        constexpr int64_t outer = 3, inner = 2;
        Random random{uint64_t(n)};
        const auto x = withTies(random, outer * n * inner, 20);
        std::vector<float> values(size_t(outer * k * inner));
        Indices places(values.size()), order(static_cast<size_t>(n));
        topk(TopkParams{1, largest}, dense(x.data(), outer, n, inner), dense(values.data(), outer, k, inner),
             dense(places.data(), outer, k, inner), dense(order.data(), n));
        for (int64_t o = 0; o < outer; ++o)
          for (int64_t i = 0; i < inner; ++i) {
            const auto value = [&](int64_t j) { return x[size_t((o * n + j) * inner + i)]; };
            Indices want = upTo(n);
            std::sort(want.begin(), want.end(), [&](int64_t a, int64_t b) {
              return value(a) == value(b) ? a < b : (value(a) > value(b)) == largest;
            });
            for (int64_t j = 0; j < k; ++j) {
              const auto at = size_t((o * k + j) * inner + i);
              REQUIRE(places[at] == want[size_t(j)]);
              REQUIRE(values[at] == value(want[size_t(j)]));
            }
          }
      }
}

TEST_CASE_TEMPLATE("topk of few out of many against a sort, with NaN", T, float, double, f16, bf16, int64_t) {
  for (const int64_t n : {20, 64, 100, 1000})
    for (const int64_t k : {1, 5, 8, 9, 16, 17, 20})
      for (const int64_t inner : {1, 3})
        for (const bool largest : {true, false}) {
          Random random{uint64_t(n + k)};
          std::vector<T> x;
          for (const float number : withTies(random, n * inner, 300))
            x.push_back(convert<T>(convert<ComputeType<T>>(number)));
          for (int64_t i = 0; i < n * inner; i += 37)
            x[size_t(i)] = convert<T>(convert<ComputeType<T>>(i % 2 ? __builtin_nanf("") : -__builtin_nanf("")));
          std::vector<T> values(size_t(k * inner));
          Indices places(values.size()), order(static_cast<size_t>(n));
          topk(TopkParams{0, largest}, dense(x.data(), n, inner), dense(values.data(), k, inner),
               dense(places.data(), k, inner), dense(order.data(), n));
          for (int64_t i = 0; i < inner; ++i) {
            const auto value = [&](int64_t j) { return x[size_t(j * inner + i)]; };
            Indices want = upTo(n);
            std::sort(want.begin(), want.end(), [&](int64_t a, int64_t b) {
              const int c = compareElements(value(a), value(b));
              return c == 0 ? a < b : (c > 0) == largest;
            });
            for (int64_t j = 0; j < k; ++j)
              REQUIRE(places[size_t(j * inner + i)] == want[size_t(j)]);
          }
        }
}

namespace {
/// Rows of `width` numbers of few kinds, `apart` from each other.
template <class T, int64_t width>
void checkUnique(int apart) {
  for (const int64_t n : kSizes)
    for (const bool sorted : {true, false}) {
      Random random{uint64_t(n)};
      std::vector<T> x;
      for (const float number : withTies(random, n * width, 4))
        x.push_back(T(T(number) * T(apart)));
      const auto row = [&](int64_t i) { return std::vector<T>(&x[size_t(i * width)], &x[size_t(i * width)] + width); };
      Indices want;
      for (int64_t i = 0; i < n; ++i)
        if (std::none_of(want.begin(), want.end(), [&](int64_t j) { return row(j) == row(i); }))
          want.push_back(i);
      if (sorted)
        std::sort(want.begin(), want.end(), [&](int64_t a, int64_t b) { return row(a) < row(b); });
      const auto size = size_t(n);
      Indices first(size), inverse(size), counts(size), order(size);
      int64_t count = -1;
      unique(UniqueParams{sorted}, dense<const T>(x.data(), n, width), dense(first.data(), n), dense(inverse.data(), n),
             dense(counts.data(), n), View<int64_t, 0>{&count}, dense(order.data(), n));
      REQUIRE(count == int64_t(want.size()));
      for (size_t i = 0; i < want.size(); ++i) {
        REQUIRE(first[i] == want[i]);
        REQUIRE(counts[i] == std::count(inverse.begin(), inverse.end(), int64_t(i)));
      }
      for (int64_t i = 0; i < n; ++i)
        REQUIRE(row(want[size_t(inverse[size_t(i)])]) == row(i));
    }
}
} // namespace

TEST_CASE("unique rows against a search of all before") {
  checkUnique<float, 2>(1);
  checkUnique<float, 1>(1);
  checkUnique<int64_t, 2>(1);
  for (const int apart : {1, 5, 1000}) { // counted, some of them, and sorted
    checkUnique<int64_t, 1>(apart);
    checkUnique<int16_t, 1>(apart);
    checkUnique<uint32_t, 1>(apart);
  }
  checkUnique<int8_t, 1>(-3);
}

TEST_CASE("non_zero against a walk") {
  for (const int64_t n : kSizes) {
    Random random{uint64_t(n)};
    const auto x = withTies(random, 3 * n * 2, 2);
    Indices places(3 * x.size()), want[3];
    int64_t count = -1;
    const auto y = dense(places.data(), 3, x.size());
    nonZero(dense(x.data(), 3, n, 2), y, View<int64_t, 0>{&count});
    for (int64_t i = 0; i < 3 * n * 2; ++i)
      if (x[size_t(i)] != 0) {
        want[0].push_back(i / (n * 2));
        want[1].push_back(i / 2 % n);
        want[2].push_back(i % 2);
      }
    REQUIRE(count == int64_t(want[0].size()));
    for (int64_t d = 0; d < 3; ++d)
      REQUIRE(Indices(y.data + d * y.strides[0], y.data + d * y.strides[0] + count) == want[d]);
  }
}

TEST_CASE("non_max_suppression against crossing out") {
  constexpr int64_t batch = 2, classes = 3;
  const float iou = 0.4f, least = 0.2f;
  for (const int64_t n : kSizes)
    for (const int64_t most : {int64_t(2), n}) {
      Random random{uint64_t(n)};
      std::vector<float> boxes;
      for (int64_t i = 0; i < batch * n; ++i) {
        const float y = random.uniform(0, 10), x = random.uniform(0, 10);
        boxes.insert(boxes.end(), {y, x, y + random.uniform(1, 6), x + random.uniform(1, 6)});
      }
      const auto scores = random.vector(size_t(batch * classes * n), 0, 1);
      const auto area = [](const double *b) { return (b[2] - b[0]) * (b[3] - b[1]); };
      const auto overlaps = [&](int64_t i, int64_t j) {
        double a[4], b[4], both[4];
        for (int64_t d = 0; d < 4; ++d) {
          a[d] = double(boxes[size_t(i * 4 + d)]), b[d] = double(boxes[size_t(j * 4 + d)]);
          both[d] = d < 2 ? std::max(a[d], b[d]) : std::min(a[d], b[d]);
        }
        if (both[2] <= both[0] || both[3] <= both[1])
          return false;
        return area(both) / (area(a) + area(b) - area(both)) > double(iou);
      };
      Indices want;
      for (int64_t entry = 0; entry < batch; ++entry)
        for (int64_t c = 0; c < classes; ++c) {
          const auto score = [&](int64_t i) { return scores[size_t((entry * classes + c) * n + i)]; };
          Indices left = upTo(n);
          left.erase(std::remove_if(left.begin(), left.end(), [&](int64_t i) { return score(i) <= least; }),
                     left.end());
          for (int64_t taken = 0; taken < most && !left.empty(); ++taken) {
            const int64_t best =
                *std::max_element(left.begin(), left.end(), [&](int64_t a, int64_t b) { return score(a) < score(b); });
            want.insert(want.end(), {entry, c, best});
            const auto gone = [&](int64_t i) { return i == best || overlaps(entry * n + i, entry * n + best); };
            left.erase(std::remove_if(left.begin(), left.end(), gone), left.end());
          }
        }
      const int64_t capacity = batch * classes * n;
      Indices selected(size_t(capacity * 3)), order(size_t(4 * n));
      int64_t count = -1;
      nonMaxSuppression(NonMaxSuppressionParams{false, true}, dense(boxes.data(), batch, n, 4),
                        dense(scores.data(), batch, classes, n), View<const int64_t, 0>{&most},
                        View<const float, 0>{&iou}, View<const float, 0>{&least}, dense(selected.data(), capacity, 3),
                        View<int64_t, 0>{&count}, dense(order.data(), 4 * n));
      REQUIRE(count * 3 == int64_t(want.size()));
      REQUIRE(Indices(selected.begin(), selected.begin() + count * 3) == want);
    }
}

namespace {
int32_t combined(int64_t reduction, int32_t there, int32_t comes) {
  switch (reduction) {
  case 0:
    return comes;
  case 1:
    return there + comes;
  case 2:
    return there * comes;
  case 3:
    return std::max(there, comes);
  default:
    return std::min(there, comes);
  }
}
std::vector<int32_t> smallInts(Random &random, int64_t n) {
  std::vector<int32_t> all;
  for (int64_t i = 0; i < n; ++i)
    all.push_back(random.below(5) - 2);
  return all;
}
} // namespace

TEST_CASE("scatter of elements and of slices, all reductions") {
  constexpr int64_t rows = 7, columns = 5, taken = 3;
  for (int64_t reduction = 0; reduction <= 4; ++reduction)
    for (int64_t axis = 0; axis < 2; ++axis) {
      CAPTURE(reduction);
      CAPTURE(axis);
      Random random(8);
      const auto data = smallInts(random, rows * columns), updates = smallInts(random, rows * taken);
      const int64_t size = axis ? columns : rows, height = axis ? rows : taken, width = axis ? taken : columns;
      Indices indices;
      for (int64_t i = 0; i < height * width; ++i)
        indices.push_back(random.below(int(2 * size)) - size);
      std::vector<int32_t> y(data.size()), want = data;
      for (int64_t i = 0; i < height; ++i)
        for (int64_t j = 0; j < width; ++j) {
          const int64_t at = (indices[size_t(i * width + j)] + size) % size;
          int32_t &there = want[size_t(axis ? i * columns + at : at * columns + j)];
          there = combined(reduction, there, updates[size_t(i * width + j)]);
        }
      CHECK(scatterElements(ScatterElementsParams{axis, reduction}, dense(data.data(), rows, columns),
                            dense(indices.data(), height, width), dense(updates.data(), height, width),
                            dense(y.data(), rows, columns)) == 0);
      CHECK(y == want);
    }
  for (int64_t reduction = 0; reduction <= 4; ++reduction) {
    constexpr int64_t slice = 3, count = 9;
    Random random(9);
    const auto data = smallInts(random, rows * columns * slice), updates = smallInts(random, count * slice);
    std::vector<int32_t> y(data.size()), want = data;
    Indices indices;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t row = random.below(int(rows)), column = random.below(int(columns));
      indices.insert(indices.end(), {row - (i % 2 ? rows : 0), column});
      for (int64_t j = 0; j < slice; ++j) {
        int32_t &there = want[size_t((row * columns + column) * slice + j)];
        there = combined(reduction, there, updates[size_t(i * slice + j)]);
      }
    }
    CHECK(scatterNd(ScatterNdParams{reduction}, dense(data.data(), rows, columns, slice),
                    dense(indices.data(), count, 2), dense(updates.data(), count, slice),
                    dense(y.data(), rows, columns, slice)) == 0);
    CHECK(y == want);
  }
}

namespace {
/// Trees of random comparisons, some of them cut short, children behind each other; each leaf has one weight for one
/// target.
struct Forest {
  static constexpr int64_t features = 5, targets = 3;
  std::vector<int32_t> links, leafStart, leafTarget, roots, keys;
  std::vector<float> threshold, weight;

  int32_t add(int nodes) {
    const auto first = int32_t(threshold.size());
    for (int32_t i = first; i < first + nodes; ++i) {
      links.insert(links.end(), {0, i});
      threshold.push_back(INFINITY);
      keys.push_back(INT32_MAX);
      leafStart.push_back(0);
    }
    return first;
  }
  /// How near and how far leaves are.
  std::pair<int32_t, int32_t> grow(Random &random, int depth, int32_t node) {
    if (depth == 0 || random.below(9) == 0)
      return {0, 0};
    const int32_t child = add(2);
    links[size_t(2 * node)] = random.below(2 * int(features)); // in the second half NaN goes to the first child
    links[size_t(2 * node + 1)] = child;
    threshold[size_t(node)] = float(random.below(5));
    keys[size_t(node)] = treeKey<int32_t>(threshold[size_t(node)], 0);
    const auto a = grow(random, depth - 1, child), b = grow(random, depth - 1, child + 1);
    return {1 + std::min(a.first, b.first), 1 + std::max(a.second, b.second)};
  }
  void plant(Random &random, int depth) {
    const int32_t root = add(1);
    const auto [least, most] = grow(random, depth, root);
    roots.insert(roots.end(), {root, least, most});
  }
  void weigh(Random &random) {
    for (size_t i = 0; i < threshold.size(); ++i) {
      leafStart[i] = int32_t(weight.size());
      if (links[2 * i + 1] != int32_t(i))
        continue;
      leafTarget.push_back(random.below(int(targets)));
      weight.push_back(float(random.below(9) + 1));
    }
    leafStart.push_back(int32_t(weight.size()));
  }
  /// The leaf that a row reaches.
  size_t leaf(const float *row, size_t node) const {
    const auto child = size_t(links[2 * node + 1]);
    if (child == node)
      return node;
    const int32_t column = links[2 * node];
    const float v = row[column % features];
    return leaf(row, v <= threshold[node] || (v != v && column >= features) ? child : child + 1);
  }
};
} // namespace

TEST_CASE("tree_ensemble against a walk of each tree") {
  for (const int trees : {1, 2, 7, 19})
    for (const int depth : {0, 1, 5}) {
      constexpr int64_t rows = 77;
      Random random{uint64_t(trees * 10 + depth)};
      Forest f;
      for (int i = 0; i < trees; ++i)
        f.plant(random, depth);
      f.weigh(random);
      auto x = withTies(random, rows * f.features, 5);
      for (size_t i = 3; i < x.size(); i += 11)
        x[i] = NAN;
      const float base[] = {0.5f, 0, -1};
      for (int64_t aggregate = 0; aggregate < 4; ++aggregate) {
        float y[rows * Forest::targets];
        const auto part = [](const auto &v) { return dense(v.data(), v.size()); };
        int32_t scratch[rows * 2 * Forest::features];
        treeEnsemble(TreeEnsembleParams{aggregate, false}, dense(x.data(), rows, f.features),
                     dense<const int32_t>(f.links.data(), f.threshold.size(), 2), part(f.keys), part(f.leafStart),
                     part(f.leafTarget), part(f.weight), dense<const int32_t>(f.roots.data(), trees, 3),
                     dense(base, Forest::targets), dense(y, rows, Forest::targets),
                     dense(scratch, rows, 2 * Forest::features));
        for (int64_t row = 0; row < rows; ++row)
          for (int64_t t = 0; t < Forest::targets; ++t) {
            std::vector<float> reached;
            for (size_t r = 0; r < f.roots.size(); r += 3) {
              const auto k = size_t(f.leafStart[f.leaf(&x[size_t(row * f.features)], size_t(f.roots[r]))]);
              if (f.leafTarget[k] == t)
                reached.push_back(f.weight[k]);
            }
            float want = 0;
            for (float w : reached)
              want += w;
            if (aggregate == 1)
              want /= float(trees);
            if (aggregate == 2 && !reached.empty())
              want = *std::min_element(reached.begin(), reached.end());
            if (aggregate == 3 && !reached.empty())
              want = *std::max_element(reached.begin(), reached.end());
            REQUIRE(y[row * Forest::targets + t] == want + base[t]);
          }
      }
    }
}
