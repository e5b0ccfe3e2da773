// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums along any axis, both ways; determinants and inverses: by hand, and over odd sizes against the
// definitions.
#include "templates/linear_algebra/cumulate.h"
#include "templates/linear_algebra/determinant.h"
#include "templates/linear_algebra/inverse.h"
#include "templates/loops/index_walk.h"
#include "ulp.h"
#include "views.h"

#include <cstring>
#include <doctest/doctest.h>
#include <type_traits>

using namespace sinter;
using test::Random;

TEST_CASE("running sums and products") {
  const int32_t in[6] = {1, 2, 3, 4, 5, 6};
  int32_t out[6];
  const View<const int32_t, 2> x{in, {2, 3}, {3, 1}};
  const View<int32_t, 2> y{out, {2, 3}, {3, 1}};
  int64_t axis = 1;
  const auto expect = [&](CumulateParams params, int64_t a, int32_t e0, int32_t e1, int32_t e2, int32_t e3, int32_t e4,
                          int32_t e5) {
    axis = a;
    CHECK(cumulate(params, x, View<const int64_t, 0>{&axis}, y) == 0);
    const int32_t expected[6] = {e0, e1, e2, e3, e4, e5};
    for (int i = 0; i < 6; ++i)
      CHECK(out[i] == expected[i]);
  };
  expect({false, false, false}, 1, 1, 3, 6, 4, 9, 15);
  expect({false, true, false}, -1, 0, 1, 3, 0, 4, 9);
  expect({false, false, true}, 0, 5, 7, 9, 4, 5, 6);
  expect({true, false, false}, 1, 1, 2, 6, 4, 20, 120);
  expect({true, true, true}, 1, 6, 3, 1, 30, 6, 1);
  axis = 2;
  CHECK(cumulate(CumulateParams{}, x, View<const int64_t, 0>{&axis}, y) == 5);
}

TEST_CASE("determinants") {
  // A row swap is needed in the first; the second is singular.
  const float in[18] = {0, 2, 1, 1, 0, 0, 3, 1, 1, 1, 2, 3, 2, 4, 6, 0, 1, 1};
  float out[2];
  float work[9];
  determinant(View<const float, 3>{in, {2, 3, 3}, {9, 3, 1}}, View<float, 1>{out, {2}, {1}},
              View<float, 2>{work, {3, 3}, {3, 1}});
  CHECK(out[0] == doctest::Approx(-1.0f));
  CHECK(out[1] == 0.0f);
}

TEST_CASE("running sums and products along every axis against sums of parts") {
  Random random(3);
  const int64_t sizes[3] = {5, 7, 3};
  std::vector<int32_t> in, out(5 * 7 * 3);
  for (size_t i = 0; i < out.size(); ++i)
    in.push_back(random.below(7) - 3);
  const auto x = test::spaced<const int32_t>(in.data(), 1, sizes);
  for (int64_t axis = 0; axis < 3; ++axis)
    for (int flags = 0; flags < 8; ++flags) {
      const CumulateParams p{(flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0};
      REQUIRE(cumulate(p, x, View<const int64_t, 0>{&axis}, test::spaced(out.data(), 1, sizes)) == 0);
      size_t at = 0;
      forEachRow(sizes, -1, [&](const int64_t(&index)[3]) {
        int32_t want = p.product ? 1 : 0;
        for (int64_t j = 0; j < sizes[axis]; ++j) {
          const bool before = p.reverse ? j > index[axis] : j < index[axis];
          if (before || (j == index[axis] && !p.exclusive)) {
            const int32_t v = in[at + size_t(j) * size_t(x.strides[axis]) - size_t(index[axis] * x.strides[axis])];
            want = p.product ? want * v : want + v;
          }
        }
        REQUIRE(out[at++] == want);
      });
    }
}

namespace {
/// Rows wider than what is added up at a time, and gaps between elements: the order of each line's sums is the same.
template <class T>
void checkRows(int64_t step) {
  Random random(4);
  const int64_t sizes[3] = {2, 3, 1237};
  std::vector<T> in, out(size_t(2 * 3 * 1237 * step));
  for (size_t i = 0; i < out.size(); ++i)
    in.push_back(convert<T>(random.uniform(-2, 2)));
  const auto x = test::spaced<const T>(in.data(), step, sizes);
  const auto y = test::spaced(out.data(), step, sizes);
  for (int64_t axis = 0; axis < 2; ++axis)
    for (int flags = 0; flags < 8; ++flags) {
      const CumulateParams p{(flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0};
      REQUIRE(cumulate(p, x, View<const int64_t, 0>{&axis}, y) == 0);
      using V = std::conditional_t<kIsHalf<T>, float, T>;
      forEachRow(sizes, int(axis), [&](const int64_t(&index)[3]) {
        V sum = V(p.product ? 1 : 0);
        for (int64_t i = 0; i < sizes[axis]; ++i) {
          const int64_t k = p.reverse ? sizes[axis] - 1 - i : i;
          const V before = sum, element = convert<V>(x.data[placeOf(index, x.strides) + k * x.strides[axis]]);
          sum = p.product ? sum * element : sum + element;
          const T want = convert<T>(p.exclusive ? before : sum),
                  got = y.data[placeOf(index, y.strides) + k * y.strides[axis]];
          REQUIRE(std::memcmp(&got, &want, sizeof(T)) == 0);
        }
      });
    }
}
} // namespace

TEST_CASE("running sums of wide rows have the bits of those of lines") {
  for (int64_t step : {1, 2}) {
    checkRows<float>(step);
    checkRows<double>(step);
    checkRows<int64_t>(step);
    checkRows<f16>(step);
  }
}

namespace {
/// By expansion along the first row.
double expanded(const std::vector<std::vector<double>> &m) {
  if (m.empty())
    return 1;
  double sum = 0;
  for (size_t j = 0; j < m.size(); ++j) {
    std::vector<std::vector<double>> minor(m.begin() + 1, m.end());
    for (auto &row : minor)
      row.erase(row.begin() + int64_t(j));
    sum += (j % 2 ? -1 : 1) * m[0][j] * expanded(minor);
  }
  return sum;
}
} // namespace

TEST_CASE("determinants against their expansion") {
  for (int64_t n = 1; n <= 7; ++n) {
    Random random{uint64_t(n)};
    const int64_t batch = 3, step = 2;
    const auto in = random.vector(size_t(batch * n * n * step));
    std::vector<float> out(static_cast<size_t>(batch)), work(static_cast<size_t>(n * n));
    determinant(test::spaced<const float>(in.data(), step, {batch, n, n}), test::dense(out.data(), batch),
                test::dense(work.data(), n, n));
    for (int64_t b = 0; b < batch; ++b) {
      const auto side = size_t(n);
      std::vector<std::vector<double>> m(side, std::vector<double>(side));
      for (int64_t i = 0; i < n * n; ++i)
        m[size_t(i / n)][size_t(i % n)] = double(in[size_t((b * n * n + i) * step)]);
      CHECK(std::fabs(double(out[size_t(b)]) - expanded(m)) < 1e-5);
    }
  }
}

TEST_CASE("inverses times their matrices") {
  Random random(9);
  const int64_t batch = 2;
  for (int64_t n : {1, 2, 3, 5, 8}) {
    std::vector<float> in, out(static_cast<size_t>(batch * n * n)), work(static_cast<size_t>(2 * n * n));
    for (size_t i = 0; i < out.size(); ++i)
      in.push_back(random.uniform(-1, 1));
    for (int64_t i = 0; i < n; ++i)
      in[static_cast<size_t>(i * n + i)] += 3;
    if (n > 1)
      in[static_cast<size_t>(n * n)] = 0; // rows change places
    const int64_t sizes[3] = {batch, n, n}, room[2] = {n, 2 * n};
    inverse(test::spaced<const float>(in.data(), 1, sizes), test::spaced(out.data(), 1, sizes),
            test::spaced(work.data(), 1, room));
    for (int64_t k = 0; k < batch; ++k)
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) {
          double sum = 0;
          for (int64_t m = 0; m < n; ++m)
            sum += double(in[static_cast<size_t>((k * n + i) * n + m)]) * out[static_cast<size_t>((k * n + m) * n + j)];
          CHECK(sum == doctest::Approx(i == j ? 1.0 : 0.0).epsilon(1e-3));
        }
  }
}
