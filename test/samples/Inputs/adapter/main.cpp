// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The net with its adapter merged, and beside it, off and on.
#include "merged.hpp"
#include "switched.hpp"

#include <cstdio>

alignas(SWITCHED_ARENA_ALIGN) static unsigned char arena[SWITCHED_ARENA_BYTES + MERGED_ARENA_BYTES + 1];

static void say(const char *how, const float (&y)[3]) {
  std::printf("%s: %g %g %g\n", how, static_cast<double>(y[0]), static_cast<double>(y[1]), static_cast<double>(y[2]));
}

int main() {
  const float x[4] = {1, 2, 3, 4};
  float y[3];
  merged_inputs merged_in = {};
  merged_outputs merged_out = {};
  merged_in.x = x;
  merged_out.y = y;
  if (merged_run(&merged_in, &merged_out, arena) != SINTER_OK)
    return 1;
  say("merged", y);
  const float weights[] = {0, 1};
  for (const float weight : weights) {
    switched_inputs in = {};
    switched_outputs out = {};
    in.x = x;
    in.adapters = &weight;
    out.y = y;
    if (switched_run(&in, &out, arena) != SINTER_OK)
      return 1;
    say(weight > 0 ? "on" : "off", y);
  }
  return 0;
}
