// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads ten handwritten digits with a net that Sinter compiled into this program. scripts/demo builds and runs it; the
// net and the digits come from train.py. All memory is on this page: no heap, no files, no library beside the net
// itself.
#include "digits.h"
#include "test_digits.h"

#include <chrono>
#include <cstdio>

alignas(DIGITS_ARENA_ALIGN) static unsigned char arena[DIGITS_ARENA_BYTES];

static void show(const TestDigit &digit) {
  static const char shades[] = " .:-=+*#%@";
  for (int y = 0; y < 8; ++y) {
    std::printf("    ");
    for (int x = 0; x < 8; ++x) {
      const char shade = shades[digit.pixels[8 * y + x] * 9 / 16];
      std::printf("%c%c", shade, shade);
    }
    std::printf("\n");
  }
}

int main() {
  int right = 0;
  const int count = sizeof testDigits / sizeof testDigits[0];
  for (const TestDigit &digit : testDigits) {
    float image[64], probabilities[10];
    for (int i = 0; i < 64; ++i)
      image[i] = static_cast<float>(digit.pixels[i]) / 16.0f;

    digits_inputs in = {};
    digits_outputs out = {};
    in.image = image;
    out.probabilities = probabilities;
    const auto start = std::chrono::steady_clock::now();
    const int status = digits_run(&in, &out, arena);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    if (status != 0) {
      std::fprintf(stderr, "digits_run ended with status %d\n", status);
      return 1;
    }

    int answer = 0;
    for (int i = 1; i < 10; ++i)
      if (probabilities[i] > probabilities[answer])
        answer = i;
    show(digit);
    std::printf("  It is a %d: the net says %d, %.1f %% sure, after %.1f us.\n\n", digit.label, answer,
                100.0 * static_cast<double>(probabilities[answer]), took.count());
    right += answer == digit.label;
  }
  std::printf("%d of %d right; %d bytes of scratch memory.\n", right, count, DIGITS_ARENA_BYTES);
  return right == count ? 0 : 1;
}
