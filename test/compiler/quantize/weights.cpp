// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights as integers, along each kind of axis.
#include "quantize/weights.h"

#include "doctest/doctest.h"

using namespace sinter::quantize;

TEST_CASE("each channel has the scale of its largest weight") {
  FloatTensor weight{{2, 3}, {1, -2, 0.5f, 10, 127, -63.5f}};
  IntegerWeights rows = quantizeWeights(weight, 0, true, WeightRange::Largest);
  CHECK(rows.scales == std::vector<float>{2.0f / 127, 1});
  CHECK(rows.values == std::vector<int8_t>{64, -127, 32, 10, 127, -64});
  IntegerWeights columns = quantizeWeights(weight, 1, true, WeightRange::Largest);
  CHECK(columns.scales == std::vector<float>{10.0f / 127, 1, 0.5f});
  IntegerWeights whole = quantizeWeights(weight, 0, false, WeightRange::Largest);
  CHECK(whole.scales == std::vector<float>{1});
  CHECK(dequantized(whole, weight.dims, 0) == std::vector<float>{1, -2, 0, 10, 127, -64});
}

TEST_CASE("a channel of zeros has a scale that can be divided by") {
  IntegerWeights weights = quantizeWeights({{2, 1}, {0, 3}}, 0, true, WeightRange::Mse);
  CHECK(weights.scales[0] == 1);
  CHECK(weights.values[0] == 0);
  CHECK(weights.values[1] == 127);
}

TEST_CASE("one large weight among many small ones is clipped where that is the lesser error") {
  FloatTensor weight{{1, 4096}, std::vector<float>(4096)};
  for (size_t i = 0; i < 4096; ++i)
    weight.values[i] = 0.01f * static_cast<float>(i % 97) / 97;
  weight.values[5] = 0.011f;
  float all = quantizeWeights(weight, 0, true, WeightRange::Largest).scales[0];
  CHECK(quantizeWeights(weight, 0, true, WeightRange::Mse).scales[0] < all);
}
