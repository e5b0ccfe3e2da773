// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the net, whose moving average is the function in moving_average.h.
#include "averages.hpp"

#include <cstdio>

alignas(AVERAGES_ARENA_ALIGN) static unsigned char arena[AVERAGES_ARENA_BYTES];

int main() {
  constexpr int64_t length = 32;
  static float signal[2 * length], score[AVERAGES_OUTPUT_SCORE_ELEMENTS];
  for (int64_t i = 0; i < 2 * length; ++i)
    signal[i] = static_cast<float>(i % 7) - 3.0f;
  averages_inputs in = {};
  averages_outputs out = {};
  in.signal = signal;
  in.length = length;
  out.score = score;
  const int status = averages_run(&in, &out, arena);
  if (status != SINTER_OK) {
    std::printf("%s\n", averages_status_text(status));
    return 1;
  }
  std::printf("%d averages of each of 4 channels; the first is %.6f\n", static_cast<int>(out.score_dims[2]),
              static_cast<double>(score[0]));
  return out.score_dims[2] == (length - 4) / 2 + 1 ? 0 : 1;
}
