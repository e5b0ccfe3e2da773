// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels "softmax" and "layer_norm" on views: contiguous, along a middle dim, with steps between elements.
#include "templates/norm/layer_norm.h"
#include "templates/norm/softmax.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace sinter;

namespace {
std::vector<float> ramp(int64_t n) {
  std::vector<float> v(static_cast<size_t>(n));
  for (size_t i = 0; i < v.size(); ++i)
    v[i] = std::sin(static_cast<float>(i)) * 3.0f;
  return v;
}

/// Every row along the middle dim sums to 1 (or its logarithms' exponentials do), and follows the definition.
void checkSoftmax(View<const float, 3> x, bool logarithm) {
  std::vector<float> out(static_cast<size_t>(elements(x)));
  const View<float, 3> y{out.data(), {x.sizes[0], x.sizes[1], x.sizes[2]}, {x.sizes[1] * x.sizes[2], x.sizes[2], 1}};
  softmax(SoftmaxParams{logarithm}, x, y);
  for (int64_t o = 0; o < x.sizes[0]; ++o)
    for (int64_t i = 0; i < x.sizes[2]; ++i) {
      const auto in = [&](int64_t j) { return double(x.data[o * x.strides[0] + j * x.strides[1] + i * x.strides[2]]); };
      double total = 0;
      for (int64_t j = 0; j < x.sizes[1]; ++j)
        total += std::exp(in(j));
      for (int64_t j = 0; j < x.sizes[1]; ++j) {
        const double expected = logarithm ? in(j)-std::log(total) : std::exp(in(j)) / total;
        CHECK(double(y.data[o * y.strides[0] + j * y.strides[1] + i]) == doctest::Approx(expected).epsilon(1e-5));
      }
    }
}
} // namespace

TEST_CASE("softmax of views") {
  const std::vector<float> v = ramp(2 * 37 * 40);
  for (bool logarithm : {false, true}) {
    checkSoftmax({v.data(), {2, 37, 1}, {37, 1, 1}}, logarithm);
    checkSoftmax({v.data(), {2, 37, 19}, {37 * 19, 19, 1}}, logarithm);
    checkSoftmax({v.data(), {2, 37, 19}, {37 * 40, 40, 2}}, logarithm);
  }
}

TEST_CASE("layer norm of views") {
  const std::vector<float> v = ramp(3 * 50 * 2), scale = ramp(50), bias = ramp(100);
  for (int64_t step : {int64_t(1), int64_t(2)})
    for (bool centered : {true, false}) {
      std::vector<float> out(150);
      const View<const float, 2> x{v.data(), {3, 50}, {100, step}};
      layerNorm(LayerNormParams{1e-5, centered}, x, View<const float, 1>{scale.data(), {50}, {1}},
                View<const float, 1>{bias.data(), {50}, {2}}, View<float, 2>{out.data(), {3, 50}, {50, 1}});
      for (int64_t i = 0; i < 3; ++i) {
        const auto in = [&](int64_t j) { return double(v[size_t(i * 100 + j * step)]); };
        double mean = 0, squares = 0;
        for (int64_t j = 0; j < 50 && centered; ++j)
          mean += in(j) / 50;
        for (int64_t j = 0; j < 50; ++j)
          squares += (in(j)-mean) * (in(j)-mean) / 50;
        for (int64_t j = 0; j < 50; ++j)
          CHECK(double(out[size_t(i * 50 + j)]) ==
                doctest::Approx((in(j)-mean) / std::sqrt(squares + 1e-5) * double(scale[size_t(j)]) +
                                double(bias[size_t(2 * j)]))
                    .epsilon(1e-4));
      }
    }
}
