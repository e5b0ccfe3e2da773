// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// softmax.h and norm.h against the definitions in double, over odd lengths, strides and element types.
#include "templates/norm/norm.h"
#include "templates/norm/softmax.h"
#include "templates/panels/tile.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;
using test::Random;

namespace {

const int64_t kLengths[] = {1, 2, 3, 7, 15, 16, 17, 31, 33, 64, 100, 257};

std::vector<double> softmax(const std::vector<double> &x, bool log) {
  double largest = -INFINITY, total = 0;
  for (double v : x)
    largest = std::max(largest, v);
  for (double v : x)
    total += std::exp(v - largest);
  std::vector<double> y;
  for (double v : x)
    y.push_back(log ? v - largest - std::log(total) : std::exp(v - largest) / total);
  return y;
}

std::vector<double> normalized(const std::vector<double> &x, bool centered, double epsilon) {
  double mean = 0, squares = 0;
  for (double v : x)
    mean += centered ? v / double(x.size()) : 0;
  for (double v : x)
    squares += (v - mean) * (v - mean) / double(x.size());
  std::vector<double> y;
  for (double v : x)
    y.push_back((v - mean) / std::sqrt(squares + epsilon));
  return y;
}

bool near(double got, double want, double tolerance) {
  return std::fabs(got - want) <= tolerance * (1 + std::fabs(want));
}

} // namespace

TEST_CASE("softmax of rows and of columns") {
  for (int64_t n : kLengths)
    for (bool log : {false, true}) {
      CAPTURE(n);
      CAPTURE(log);
      const int64_t inner = 21, stride = n + 2;
      Random random{uint64_t(n)};
      const auto in = random.vector(size_t(3 * n * inner + 3 * stride), -30.0f, 30.0f);
      std::vector<float> out(in.size(), -7.0f);
      const auto run = [&](auto kLog) {
        softmaxRows<decltype(kLog)::value != 0>(in.data(), stride, out.data(), stride, 3, n, Identity{});
      };
      log ? run(Fixed<1>{}) : run(Fixed<0>{});
      for (int64_t i = 0; i < 3; ++i) {
        std::vector<double> x;
        for (int64_t j = 0; j < n; ++j)
          x.push_back(double(in[size_t(i * stride + j)]));
        const auto want = softmax(x, log);
        for (int64_t j = 0; j < n; ++j)
          REQUIRE(near(double(out[size_t(i * stride + j)]), want[size_t(j)], 2e-6));
        REQUIRE(out[size_t(i * stride + n)] == -7.0f);
      }
      const auto columns = [&](auto kLog) {
        softmaxColumns<decltype(kLog)::value != 0>(in.data(), out.data(), 2, n, inner, Identity{});
      };
      log ? columns(Fixed<1>{}) : columns(Fixed<0>{});
      for (int64_t o = 0; o < 2; ++o)
        for (int64_t i = 0; i < inner; ++i) {
          std::vector<double> x;
          for (int64_t j = 0; j < n; ++j)
            x.push_back(double(in[size_t((o * n + j) * inner + i)]));
          const auto want = softmax(x, log);
          for (int64_t j = 0; j < n; ++j)
            REQUIRE(near(double(out[size_t((o * n + j) * inner + i)]), want[size_t(j)], 2e-6));
        }
    }
}

TEST_CASE("softmax of columns, fewer than a vector and many vectors, in place, to the bit that of each alone") {
  const auto run = [](auto kLog, auto like, int64_t n, int64_t inner) {
    using T = decltype(like);
    constexpr bool log = decltype(kLog)::value != 0;
    CAPTURE(n);
    CAPTURE(inner);
    Random random{uint64_t(n * inner)};
    std::vector<T> together;
    for (float v : random.vector(size_t(2 * n * inner), -8.0f, 8.0f))
      together.push_back(convert<T>(v));
    auto alone = together;
    softmaxColumns<log>(together.data(), together.data(), 2, n, inner, Identity{});
    for (int64_t o = 0; o < 2; ++o)
      for (int64_t i = 0; i < inner; ++i) {
        std::vector<T> column;
        std::vector<double> x;
        for (int64_t j = 0; j < n; ++j) {
          column.push_back(alone[size_t((o * n + j) * inner + i)]);
          x.push_back(double(convert<float>(column.back())));
        }
        softmaxColumns<log>(column.data(), column.data(), 1, n, 1, Identity{});
        const auto want = softmax(x, log);
        for (int64_t j = 0; j < n; ++j) {
          const T got = together[size_t((o * n + j) * inner + i)];
          REQUIRE(near(double(convert<float>(got)), want[size_t(j)], sizeof(T) < 4 ? 1e-3 : 2e-6));
          REQUIRE(convert<float>(got) == convert<float>(column[size_t(j)]));
        }
      }
  };
  for (int64_t n : {1, 2, 5, 33})
    for (int64_t inner : {1, 2, 7, 15, 16, 21, 37, 64, 77}) {
      run(Fixed<0>{}, 0.0f, n, inner);
      run(Fixed<1>{}, 0.0f, n, inner);
      run(Fixed<0>{}, f16{}, n, inner);
      run(Fixed<1>{}, 0.0, n, inner);
      run(Fixed<0>{}, 0.0, n, inner);
    }
}

TEST_CASE("softmax of short rows, many at a time, in place, is the same as of single rows") {
  for (int64_t n : {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63})
    for (int64_t rows : {1, 4, 15, 16, 37}) {
      CAPTURE(n);
      CAPTURE(rows);
      Random random{uint64_t(n)};
      const int64_t stride = n + 1;
      const auto run = [&](auto kLog, auto like) {
        using T = decltype(like);
        std::vector<T> together;
        for (float v : random.vector(size_t(rows * stride), -8.0f, 8.0f))
          together.push_back(convert<T>(v));
        auto single = together;
        constexpr bool log = decltype(kLog)::value != 0;
        softmaxRows<log>(together.data(), stride, together.data(), stride, rows, n, Identity{});
        for (int64_t i = 0; i < rows; ++i) {
          T *row = single.data() + i * stride;
          std::vector<double> x;
          for (int64_t j = 0; j < n; ++j)
            x.push_back(double(convert<float>(row[j])));
          const auto want = softmax(x, log);
          softmaxRows<log>(row, stride, row, stride, 1, n, Identity{});
          for (int64_t j = 0; j < n; ++j)
            REQUIRE(near(double(convert<float>(row[j])), want[size_t(j)], sizeof(T) < 4 ? 1e-3 : 2e-6));
        }
        CHECK(memcmp(static_cast<const void *>(together.data()), single.data(), together.size() * sizeof(T)) == 0);
      };
      run(Fixed<0>{}, 0.0f);
      run(Fixed<1>{}, 0.0f);
      run(Fixed<0>{}, f16{});
      run(Fixed<1>{}, 0.0);
    }
}

TEST_CASE("softmax of rows with NaN is NaN") {
  for (int64_t n : {3, 16, 37}) {
    std::vector<float> x(size_t(n * 20), 1.0f);
    for (int64_t i = 0; i < 20; i += 2)
      x[size_t(i * n + i % n)] = NAN;
    softmaxRows<false>(x.data(), n, x.data(), n, 20, n, Identity{});
    for (int64_t i = 0; i < 20; ++i)
      for (int64_t j = 0; j < n; ++j)
        CHECK(std::isnan(x[size_t(i * n + j)]) == (i % 2 == 0));
  }
}

TEST_CASE("softmax in place, of halves, of doubles, of infinities") {
  std::vector<float> x = {1.0f, -INFINITY, 3.0f, 2.0f};
  softmaxRows<false>(x.data(), 4, x.data(), 4, 1, 4, Identity{});
  CHECK(x[1] == 0.0f);
  CHECK(x[2] == doctest::Approx(0.665241));
  std::vector<f16> h;
  for (float v : {1.0f, 2.0f, 3.0f})
    h.push_back(convert<f16>(v));
  softmaxRows<false>(h.data(), 3, h.data(), 3, 1, 3, Identity{});
  CHECK(convert<float>(h[2]) == doctest::Approx(0.665241).epsilon(1e-3));
  std::vector<double> d = {1, 2, 3};
  softmaxRows<true>(d.data(), 3, d.data(), 3, 1, 3, Identity{});
  CHECK(d[2] == doctest::Approx(-0.40760596444438).epsilon(1e-13));
}

TEST_CASE("layer, RMS, group and instance norm") {
  for (int64_t n : kLengths)
    for (bool centered : {true, false}) {
      CAPTURE(n);
      CAPTURE(centered);
      const int64_t inner = 19, groups = 3;
      Random random{uint64_t(n)};
      const auto in = random.vector(size_t(2 * groups * n * inner), 90.0f, 110.0f);
      std::vector<float> out(in.size());
      const float epsilon = 1e-5f;
      // Few elements may lie so close together that the mean's own rounding shows.
      const double tolerance = n == 1 ? 0.02 : n < 8 ? 1e-3 : 3e-5;
      std::vector<float> means(size_t(2 * n) + 8);
      const auto rows = [&](auto kCentered) {
        normRows<decltype(kCentered)::value != 0>(in.data(), n * inner, out.data(), n * inner, 2, n, inner, epsilon,
                                                  means.data(), static_cast<float *>(nullptr),
                                                  [&](auto v, int64_t, int64_t o, int64_t) {
                                                    return v * float(o + 1); // what a channel's scale does
                                                  });
      };
      centered ? rows(Fixed<1>{}) : rows(Fixed<0>{});
      for (int64_t i = 0; i < 2; ++i) {
        std::vector<double> x(in.begin() + i * n * inner, in.begin() + (i + 1) * n * inner);
        const auto want = normalized(x, centered, 1e-5);
        for (int64_t j = 0; j < n * inner; ++j)
          REQUIRE(near(double(out[size_t(i * n * inner + j)]) / double(j / inner + 1), want[size_t(j)], 3e-5));
      }
      if (centered)
        CHECK(means[0] == doctest::Approx(100).epsilon(0.1));
      const auto columns = [&](auto kCentered) {
        normColumns<decltype(kCentered)::value != 0>(in.data(), out.data(), 2, n, inner, epsilon, Identity{});
      };
      centered ? columns(Fixed<1>{}) : columns(Fixed<0>{});
      for (int64_t o = 0; o < 2; ++o)
        for (int64_t i = 0; i < inner; ++i) {
          std::vector<double> x;
          for (int64_t j = 0; j < n; ++j)
            x.push_back(double(in[size_t((o * n + j) * inner + i)]));
          const auto want = normalized(x, centered, 1e-5);
          for (int64_t j = 0; j < n; ++j)
            REQUIRE(near(double(out[size_t((o * n + j) * inner + i)]), want[size_t(j)], tolerance));
        }
    }
}
