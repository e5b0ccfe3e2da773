// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two compiled models in one program: each reads the digits of samples/digits, and both must be of one opinion.
#include "digits.h"
#include "opinion.h"
#include "test_digits.h"

#include "sinter_pool.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

// Scratch is undefined between calls: models that run one after the other can share it.
alignas(DIGITS_ARENA_ALIGN) alignas(
    OPINION_ARENA_ALIGN) static unsigned char arena[std::max(DIGITS_ARENA_BYTES, OPINION_ARENA_BYTES)];

int main() {
  sinter::Pool pool(2); // the second net's work may be shared
  sinter_env env = {};
  env.size = sizeof env;
  env.arena = arena;
  env.parallel = pool.parallel();
  int right = 0;
  const int count = sizeof testDigits / sizeof testDigits[0];
  for (const TestDigit &digit : testDigits) {
    float image[64], first[10], second[10];
    std::transform(digit.pixels, digit.pixels + 64, image, [](int grey) { return static_cast<float>(grey) / 16.0f; });

    digits_inputs digitsIn = {};
    digits_outputs digitsOut = {};
    digitsIn.image = image;
    digitsOut.probabilities = first;
    opinion_inputs opinionIn = {};
    opinion_outputs opinionOut = {};
    opinionIn.image = image;
    opinionOut.probabilities = second;
    if (digits_run(&digitsIn, &digitsOut, arena) != 0 || opinion_run_with(&opinionIn, &opinionOut, &env) != 0) {
      std::fprintf(stderr, "a model did not run\n");
      return 1;
    }
    if (std::memcmp(first, second, sizeof first) != 0) {
      std::fprintf(stderr, "the models disagree\n");
      return 1;
    }
    right += std::max_element(first, first + 10) - first == digit.label;
  }
  std::printf("%d of %d right, by both models\n", right, count);
  return right == count ? 0 : 1;
}
