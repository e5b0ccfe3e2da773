// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The net of samples/digits called on one of its test images.
#pragma once

#include "digits.h"
#include "test_digits.h"

/// The digit that the net reads, or -1.
static int read(const TestDigit &digit, void *arena) {
  static float image[64], probabilities[10];
  for (int i = 0; i < 64; ++i)
    image[i] = static_cast<float>(digit.pixels[i]) / 16.0f;
  digits_inputs in = {};
  digits_outputs out = {};
  in.image = image;
  out.probabilities = probabilities;
  if (digits_run(&in, &out, arena) != 0)
    return -1;
  int best = 0;
  for (int i = 1; i < 10; ++i)
    if (probabilities[i] > probabilities[best])
      best = i;
  return best;
}
