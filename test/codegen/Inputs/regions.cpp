// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs regions.mlir's model with its regions apart.
#include "net.h"

#include <cstdio>

int main() {
  alignas(64) static char fast[NET_ARENA_FAST_BYTES], slow[NET_ARENA_SLOW_BYTES];
  float *x = reinterpret_cast<float *>(slow + NET_INPUT_X_OFFSET);
  for (uint8_t doubles = 0; doubles < 2; ++doubles) {
    for (int i = 0; i < 4; ++i)
      x[i] = float(i + 3);
    float y[4] = {};
    net_inputs in = {};
    in.x = x;
    in.c = &doubles;
    net_outputs out = {};
    out.y = y;
    net_ram ram = {fast, slow};
    if (int status = net_run(&in, &out, &ram))
      return std::printf("status %d\n", status), 1;
    for (int i = 0; i < 4; ++i)
      if (y[i] != (doubles ? 2 * x[i] : x[i] * x[i]))
        return std::printf("y %d\n", i), 1;
  }
}
