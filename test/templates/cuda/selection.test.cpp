// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What selects, scatters and cumulates with many threads is equal to the templates of CPUs, also with equal numbers,
// NaN, strides, updates of one element, and more items than a block has threads.
#include "device_test.h"

#include "templates/cuda/cumulate_lines.h"
#include "templates/cuda/determinant_block.h"
#include "templates/cuda/fill_halo_lines.h"
#include "templates/cuda/pool_element.h"
#include "templates/cuda/scatter_element.h"
#include "templates/cuda/select_block.h"
#include "templates/cuda/topk_element.h"

using namespace sinter;
using namespace sinter::cuda::test;

namespace {

cuda::emulation::Grid gridOf(int64_t elements, int threads = 64, size_t sharedBytes = 0) {
  cuda::emulation::Grid grid;
  grid.threads = threads;
  grid.x = int((elements + threads - 1) / threads);
  grid.sharedBytes = sharedBytes;
  return grid;
}
cuda::emulation::Grid oneBlock() { return gridOf(1, cuda::kBlockThreads, cuda::kBlockBytes); }
cuda::emulation::Grid ofUpdates(int64_t elements) { return gridOf(elements, kScatterThreads, kScatterBytes); }

template <class T>
bool areEqual(Tensor<T> &a, Tensor<T> &b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Few different values, so that many are equal.
void fill(Tensor<float> &x, uint64_t seed, uint32_t values) {
  Random random(seed);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(random.bits() % values) - 3.0f;
}

} // namespace

TEST_CASE("the greatest and the least along an axis, with equal ones and NaN") {
  Tensor<float> in(3 * 50 * 2);
  fill(in, 1, 20);
  in[7] = std::nanf(""), in[8] = std::nanf(""), in[100] = -INFINITY;
  const View<const float, 3> x{in.data(), {3, 50, 2}, {100, 2, 1}};
  for (const int64_t k : {1, 7, 50, 60})
    for (const bool largest : {true, false}) {
      const size_t n = size_t(6 * k);
      Tensor<float> expected(n), got(n);
      Tensor<int64_t> places(n), found(n), order(50);
      const auto view = [&](auto &t) {
        return View<std::decay_t<decltype(t[0])>, 3>{t.data(), {3, k, 2}, {2 * k, 2, 1}};
      };
      const View<int64_t, 1> scratch{order.data(), {50}, {1}};
      const TopkParams params{1, largest};
      topk(params, x, view(expected), view(places), scratch);
      runInAllOrders(gridOf(300), got,
                     [&] { topkElement(cuda::threadOfGrid<64>(), params, x, view(got), view(found), scratch); });
      CHECK(areEqual(got, expected));
      CHECK(areEqual(found, places));
    }
}

TEST_CASE("updates of single elements, in their order") {
  constexpr int64_t kRows = 5, kColumns = 130, kUpdates = 3 * 400;
  Tensor<float> data(kRows * kColumns), updates(kUpdates), expected(kRows * kColumns), got(kRows * kColumns);
  Tensor<int64_t> indices(kUpdates);
  fill(data, 1, 100), fill(updates, 2, 100);
  Random random(3);
  for (size_t i = 0; i < kUpdates; ++i)
    indices[i] = int64_t(random.bits() % (2 * kColumns)) - kColumns;
  const View<const float, 2> d{data.data(), {kRows, kColumns}, {kColumns, 1}}, u{updates.data(), {3, 400}, {400, 1}};
  const View<const int64_t, 2> at{indices.data(), {3, 400}, {400, 1}};
  const auto view = [](Tensor<float> &t) { return View<float, 2>{t.data(), {kRows, kColumns}, {kColumns, 1}}; };
  const auto run = [&](int64_t reduction) {
    const ScatterElementsParams params{1, reduction};
    int status = 0;
    const int wanted = scatterElements(params, d, at, u, view(expected));
    runInAllOrders(ofUpdates(kRows * kColumns), got, [&] {
      if (const int s = scatterElementsElement(cuda::threadOfGrid<kScatterThreads>(), params, d, at, u, view(got)))
        status = s;
    });
    CHECK(areEqual(got, expected));
    CHECK(status == wanted);
    return status;
  };
  for (int64_t reduction = 0; reduction < 5; ++reduction)
    CHECK(run(reduction) == 0);
  indices[17] = kColumns;
  CHECK(run(1) == 5);
}

TEST_CASE("updates of slices, wide and of one element") {
  for (const int64_t width : {1, 3, 600}) {
    const size_t n = size_t(4 * 6 * width), count = 310;
    Tensor<float> data(n), updates(count * size_t(width)), expected(n), got(n);
    Tensor<int32_t> indices(count * 2);
    fill(data, 1, 100), fill(updates, 2, 100);
    Random random(3);
    for (size_t i = 0; i < count; ++i)
      indices[2 * i] = int32_t(random.bits() % 4), indices[2 * i + 1] = int32_t(random.bits() % 12) - 6;
    const View<const float, 3> d{data.data(), {4, 6, width}, {6 * width, width, 1}};
    const View<const float, 2> u{updates.data(), {int64_t(count), width}, {width, 1}};
    const View<const int32_t, 2> at{indices.data(), {int64_t(count), 2}, {2, 1}};
    const auto view = [&](Tensor<float> &t) { return View<float, 3>{t.data(), {4, 6, width}, {6 * width, width, 1}}; };
    for (const int64_t reduction : {0, 1, 3}) {
      const ScatterNdParams params{reduction};
      CHECK(scatterNd(params, d, at, u, view(expected)) == 0);
      runInAllOrders(ofUpdates(int64_t(n)), got,
                     [&] { scatterNdElement(cuda::threadOfGrid<kScatterThreads>(), params, d, at, u, view(got)); });
      CHECK(areEqual(got, expected));
    }
  }
}

TEST_CASE("running sums and products along any axis") {
  Tensor<int32_t> in(4 * 70 * 3, 1, 0, 0), expected(in.size()), got(in.size());
  const View<const int32_t, 3> x{in.data(), {4, 70, 3}, {210, 3, 1}};
  const auto view = [](Tensor<int32_t> &t) { return View<int32_t, 3>{t.data(), {4, 70, 3}, {210, 3, 1}}; };
  for (int64_t along = -3; along < 3; ++along)
    for (int which = 0; which < 8; ++which) {
      const CumulateParams params{(which & 1) != 0, (which & 2) != 0, (which & 4) != 0};
      const View<const int64_t, 0> axis{&along};
      CHECK(cumulate(params, x, axis, view(expected)) == 0);
      runInAllOrders(gridOf(100), got, [&] {
        cumulateLines(cuda::threadOfGrid<64>() / 32, int64_t(cuda::blocksX()) * 2, params, x, axis, view(got));
      });
      CHECK(areEqual(got, expected));
    }
  int64_t outside = 3;
  int status = 0;
  CHECK(cuda::emulation::launch(gridOf(1), [&] {
          const int s = cumulateLines(0, 1, CumulateParams{}, x, View<const int64_t, 0>{&outside}, view(got));
          if (cuda::threadIndex() == 0)
            status = s;
        }) == "");
  CHECK(status == 5);
}

TEST_CASE("places of what is not zero") {
  Tensor<float> in(3 * 700);
  fill(in, 1, 6);
  const View<const float, 2> x{in.data(), {3, 700}, {700, 1}};
  Tensor<int64_t> expected(2 * 2100), got(2 * 2100);
  int64_t count = 0, found = 0;
  const auto view = [](Tensor<int64_t> &t) { return View<int64_t, 2>{t.data(), {2, 2100}, {2100, 1}}; };
  nonZero(x, view(expected), View<int64_t, 0>{&count});
  runInAllOrders(oneBlock(), got, [&] { nonZeroBlock(x, view(got), View<int64_t, 0>{&found}); });
  CHECK(areEqual(got, expected));
  CHECK(found == count);
}

TEST_CASE("unique rows, by order and by appearance") {
  constexpr int64_t n = 600;
  Tensor<float> in(2 * n);
  fill(in, 1, 12);
  in[40] = in[90] = std::nanf("");
  const View<const float, 2> x{in.data(), {n, 2}, {2, 1}};
  for (const bool sorted : {true, false}) {
    Tensor<int64_t> lists(3 * n), got(3 * n), order(n);
    int64_t count = 0, found = 0;
    const auto part = [](Tensor<int64_t> &t, int i) { return View<int64_t, 1>{t.data() + i * n, {n}, {1}}; };
    const View<int64_t, 1> scratch{order.data(), {n}, {1}};
    unique(UniqueParams{sorted}, x, part(lists, 0), part(lists, 1), part(lists, 2), View<int64_t, 0>{&count}, scratch);
    runInAllOrders(oneBlock(), got, [&] {
      uniqueBlock(UniqueParams{sorted}, x, part(got, 0), part(got, 1), part(got, 2), View<int64_t, 0>{&found}, scratch);
    });
    CHECK(found == count);
    CHECK(areEqual(got, lists));
  }
}

TEST_CASE("boxes that do not overlap better ones") {
  constexpr int64_t n = 700, classes = 2, capacity = 200;
  Tensor<float> corners(2 * n * 4, 1, 0.0f, 1.0f), scores(2 * classes * n);
  fill(scores, 2, 40);
  const View<const float, 3> boxes{corners.data(), {2, n, 4}, {4 * n, 4, 1}},
      s{scores.data(), {2, classes, n}, {classes * n, n, 1}};
  const int64_t most = 20;
  const float iou = 0.3f, least = 5.0f;
  for (int which = 0; which < 4; ++which) {
    const NonMaxSuppressionParams params{(which & 1) != 0, (which & 2) != 0};
    Tensor<int64_t> expected(capacity * 3), got(capacity * 3), order(4 * n);
    int64_t count = 0, found = 0;
    const auto view = [](Tensor<int64_t> &t) { return View<int64_t, 2>{t.data(), {capacity, 3}, {3, 1}}; };
    const View<int64_t, 1> scratch{order.data(), {4 * n}, {1}};
    const View<const int64_t, 0> mostView{&most};
    const View<const float, 0> iouView{&iou}, leastView{&least};
    nonMaxSuppression(params, boxes, s, mostView, iouView, leastView, view(expected), View<int64_t, 0>{&count},
                      scratch);
    runInAllOrders(oneBlock(), got, [&] {
      nonMaxSuppressionBlock(params, boxes, s, mostView, iouView, leastView, view(got), View<int64_t, 0>{&found},
                             scratch);
    });
    CHECK(count > 4);
    CHECK(found == count);
    CHECK(areEqual(got, expected));
  }
}

TEST_CASE("determinants of several matrices") {
  constexpr int64_t n = 24;
  Tensor<float> in(3 * n * n, 1, -1.0f, 1.0f), work(n * n), expected(3), got(3);
  for (size_t j = 0; j < n; ++j) // two rows alike
    in[2 * n * n + j] = in[2 * n * n + n + j];
  const View<const float, 3> x{in.data(), {3, n, n}, {n * n, n, 1}};
  const auto view = [](Tensor<float> &t) { return View<float, 1>{t.data(), {3}, {1}}; };
  const View<float, 2> scratch{work.data(), {n, n}, {n, 1}};
  determinant(x, view(expected), scratch);
  runInAllOrders(oneBlock(), got, [&] { determinantBlock(x, view(got), scratch); });
  for (size_t i = 0; i < 3; ++i)
    CHECK(std::fabs(got[i] - expected[i]) <= 1e-5f * std::fabs(expected[0]));
}

TEST_CASE("parts of a map around what another kernel writes") {
  Tensor<float> expected(400), got(400);
  const auto fillAll = [](Tensor<float> &t, auto fill) {
    fill(2.0f, View<float, 1>{t.data(), {41}, {1}}, View<float, 2>{t.data() + 58, {17, 4}, {20, 1}},
         View<float, 1>{t.data() + 390, {0}, {1}}, View<float, 1>{t.data() + 398, {2}, {1}});
  };
  fillAll(expected, [](auto... all) { fillHalo(all...); });
  runInAllOrders(gridOf(40), got, [&] {
    fillAll(got,
            [](auto... all) { fillHaloLines(cuda::threadOfGrid<64>() / 32, int64_t(cuda::blocksX()) * 2, all...); });
  });
  CHECK(areEqual(got, expected));
}

TEST_CASE("a pool's elements with their places") {
  const int64_t kernel[] = {3, 2}, strides[] = {2, 1}, dilations[] = {1, 2}, low[] = {1, 1};
  Tensor<float> in(2 * 3 * 7 * 9);
  fill(in, 1, 9);
  in[50] = in[51] = std::nanf("");
  const View<const float, 4> x{in.data(), {2, 3, 7, 9}, {189, 63, 9, 1}};
  constexpr int64_t kOut = 2 * 3 * 3 * 9;
  const View<const int64_t, 1> pads{low, {2}, {1}};
  for (const bool columnMajor : {false, true}) {
    Tensor<float> expected(kOut), got(kOut);
    Tensor<int64_t> places(kOut), found(kOut);
    const auto view = [](auto &t) {
      return View<std::decay_t<decltype(t[0])>, 4>{t.data(), {2, 3, 3, 9}, {81, 27, 9, 1}};
    };
    const MaxPoolIndicesParams params{kernel, strides, dilations, columnMajor};
    maxPoolIndices(params, x, pads, view(expected), view(places));
    runInAllOrders(gridOf(kOut), got,
                   [&] { maxPoolIndicesElement(cuda::threadOfGrid<64>(), params, x, pads, view(got), view(found)); });
    CHECK(areEqual(got, expected));
    CHECK(areEqual(found, places));
  }
}
