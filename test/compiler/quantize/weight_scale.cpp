// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for a scale beside one that measures a candidate at a time; groups beside their indices.
#include "quantize/weight_scale.h"
#include "quantize/weight_groups.h"

#include "doctest/doctest.h"
#include <cmath>
#include <numeric>
#include <random>

using namespace sinter::quantize;

namespace {
float searched(llvm::ArrayRef<float> values, int most) {
  float end = 0;
  for (float value : values)
    end = std::max(end, std::fabs(value));
  float best = 0, scale = end / static_cast<float>(most);
  double least = INFINITY;
  for (int step = 0; step < 40; ++step) {
    float candidate = scale * (1 - 0.5f * static_cast<float>(step) / 40);
    double error = 0;
    for (float value : values) {
      float steps = std::nearbyint(std::clamp(value / candidate, -float(most), float(most)));
      auto difference = static_cast<double>(value - candidate * steps);
      error += difference * difference;
    }
    if (error < least) {
      least = error;
      best = candidate;
    }
  }
  return best;
}
} // namespace

TEST_CASE("the scale is that of the least error, to the last bit") {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  std::student_t_distribution<float> heavy(2);
  for (size_t size : {1, 2, 7, 32, 1000, 1024, 1025, 5000})
    for (int most : {7, 127})
      for (int round = 0; round < 6; ++round) {
        std::vector<float> values(size);
        for (float &value : values)
          value = round % 2 ? normal(random) : heavy(random);
        CHECK(symmetricScale(values, most, WeightRange::Mse) == searched(values, most));
      }
}

TEST_CASE("what is no number has no part in a scale") {
  CHECK(symmetricScale({NAN, -2, 1}, 2, WeightRange::Largest) == 1);
  CHECK(symmetricScale({INFINITY, 1}, 127, WeightRange::Mse) == 1);
  CHECK(symmetricScale({0, 0}, 127, WeightRange::Mse) == 1);
}

TEST_CASE("groups have their elements in order, wherever these lie") {
  for (int64_t outer : {1, 3})
    for (int64_t channels : {1, 5, 40})
      for (int64_t inner : {1, 2, 33}) {
        std::vector<float> weights(static_cast<size_t>(outer * channels * inner));
        std::iota(weights.begin(), weights.end(), 0.0f);
        std::vector<int8_t> integers(weights.size());
        int64_t channel = 0;
        bool inOrder = true;
        forEachGroup(weights, integers, channelGroups({outer, channels, inner}),
                     [&](llvm::ArrayRef<float> values, llvm::MutableArrayRef<int8_t> filled) {
                       size_t at = 0;
                       for (int64_t o = 0; o < outer; ++o)
                         for (int64_t i = 0; i < inner; ++i, ++at)
                           inOrder &= values[at] == static_cast<float>((o * channels + channel) * inner + i);
                       inOrder &= at == values.size();
                       std::fill(filled.begin(), filled.end(), static_cast<int8_t>(channel++));
                     });
        for (size_t i = 0; i < integers.size(); ++i)
          inOrder &= integers[i] == static_cast<int64_t>(i) / inner % channels;
        CHECK(inOrder);
        CHECK(channel == channels);
      }
}
