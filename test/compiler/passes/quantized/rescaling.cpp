// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step functions and what is proved of them, against each sum one by one.
#include "passes/quantized/support/rescaling.h"

#include "templates/quantized/rescale.h"

#include <doctest/doctest.h>
#include <random>

using namespace sinter;

namespace {

constexpr int low = -128, high = 127;

/// clamp(round((sum + bias) * factor + addend), low - zero, high - zero) + zero.
StepFunction epilogue(int64_t bias, float factor, int64_t zero, float addend = 0) {
  StepFunction f{bias, factor, std::nullopt, low - zero, high - zero, zero};
  if (addend != 0)
    f.addend = addend;
  return f;
}

int64_t wanted(int64_t sum, int64_t bias, float factor, int64_t zero) {
  return std::clamp<int64_t>(zero + std::lrint(static_cast<float>(sum + bias) * factor), low, high);
}

struct Found {
  int defined = 0, proved = 0;
};

/// Whatever is found for `f` equals it at every sum.
Found check(const StepFunction &f, int64_t zero, int64_t bound) {
  std::optional<Rescaling> r = rescalingOf(f, zero, low, high, bound);
  if (!r)
    return {};
  const Rescale<low, high> kernel{static_cast<int32_t>(zero)};
  const auto word = static_cast<int32_t>(llvm::bit_cast<uint32_t>(r->factor) | 0x80000000u);
  int wrong = 0;
  for (int64_t sum = -bound; sum <= bound; ++sum) {
    int64_t element = *f.at(sum);
    auto x = static_cast<int32_t>(sum + r->bias);
    wrong += kernel(x, word) != element;
    wrong += r->fixed && kernel(x, *r->fixed) != element;
  }
  CHECK(wrong == 0);
  return {1, r->fixed.has_value()};
}

} // namespace

TEST_CASE("a step function is its formula, and steps are where it rises") {
  for (float factor : {0.0078f, 0.5f, 1.14f}) {
    StepFunction f = epilogue(-37, factor, 5);
    for (int64_t sum = -400; sum <= 400; ++sum)
      REQUIRE(*f.at(sum) == wanted(sum, -37, factor, 5));
    for (int64_t k = low - 1; k <= high + 1; ++k) {
      int64_t sum = f.threshold(k, 400);
      CHECK((sum > 400 || *f.at(sum) >= k));
      CHECK((sum == -400 || *f.at(sum - 1) < k));
    }
    CHECK(*f.beforeRounding(0) == -37 * factor);
    CHECK(!f.beforeRounding(-(int64_t(1) << 31)));
  }
}

TEST_CASE("proved rescalings are exact at every sum within their bound") {
  std::mt19937 random(7);
  Found all;
  for (int i = 0; i < 60; ++i) {
    float factor = std::ldexp(std::uniform_real_distribution<float>(1, 2)(random), -5 - i % 7);
    int64_t bias = std::uniform_int_distribution<int>(-3000, 3000)(random),
            zero = i % 2 ? -128 : std::uniform_int_distribution<int>(-128, 127)(random);
    Found found = check(epilogue(bias, factor, zero), zero, 40000);
    all.defined += found.defined;
    all.proved += found.proved;
  }
  CHECK(all.defined == 60);
  CHECK(all.proved > 30);
}

TEST_CASE("the factor is nudged off a tie") {
  // 77 * factor is 0.5 in float: to even, down. The nearest integer factor would round it up.
  float factor = 0.5f / 77.0f;
  REQUIRE(static_cast<float>(77) * factor == 0.5f);
  StepFunction f = epilogue(0, factor, 0);
  std::optional<Rescaling> r = rescalingOf(f, 0, low, high, 200); // no second tie within
  REQUIRE(r);
  REQUIRE(r->fixed);
  CHECK(Rescale<low, high>{0}(77, *r->fixed) == 0);
  check(f, 0, 200);
}

TEST_CASE("what no factor reaches is not proved") {
  // 0.5 goes down, 1.5 up, 2.5 down: an integer factor cannot do both.
  CHECK(check(epilogue(0, 0.0625f, -5), -5, 5000).proved == 0);
  // the AD net's last layer: one sum of 300 thousand
  CHECK(check(epilogue(0, 0.001484251f, 112), 112, 300000).proved == 0);
  // factors of a half and more are no 32-bit fractions
  CHECK(check(epilogue(0, 1.14f, 0), 0, 500).proved == 0);
  CHECK(check(epilogue(0, 1.14f, 0), 0, 500).defined == 1);
  // a sum moved by part of an integer is no rescaling
  CHECK(!rescalingOf(epilogue(0, 0.6f, 0, 0.25f), 0, low, high, 500));
  // a function without steps
  CHECK(!rescalingOf(epilogue(0, 0.25f, 0), 0, low, high, 0));
}
