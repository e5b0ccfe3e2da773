// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs static.mlir's model and compares it with the same sums written out.
#include "kws.hpp"

#include <cmath>
#include <cstdio>

static bool near(double a, double b) { return std::fabs(a - b) <= 1e-5 * std::fabs(b); }

int main() {
  alignas(64) static char arena[KWS_ARENA_BYTES];
  float x[4][37], y[148], sum[4], cols[37], half[40];
  for (int i = 0; i < 148; ++i)
    x[i / 37][i % 37] = float(i % 13) / 13 - 0.9f;
  kws::inputs in;
  in.x = {&x[0][0], 148};
  kws::outputs out;
  out.y = y, out.sum = sum, out.cols = cols, out.half = half;
  if (kws::run(in, out, arena) != 0 || kws::run(in, out, static_cast<void *>(nullptr)) != 1 ||
      kws::run(in, out, arena + 4) != 2)
    return std::puts("status"), 1;
  out.y.size = 147;
  if (kws::run(in, out, arena) != 4)
    return std::puts("a span too short"), 1;
  double columns[37] = {};
  for (int i = 0; i < 4; ++i) {
    double row = 0;
    for (int j = 0; j < 37; ++j) {
      const double v = std::exp(std::fmax(x[i][j] + 0.5f, 0.f));
      row += v;
      columns[j] += v;
      if (!near(y[37 * i + j], v) || (j >= 5 && j < 15 && !near(half[10 * i + j - 5], v)))
        return std::printf("y %d %d\n", i, j), 1;
    }
    if (!near(sum[i], row))
      return std::printf("sum %d\n", i), 1;
  }
  for (int j = 0; j < 37; ++j)
    if (!near(cols[j], columns[j]))
      return std::printf("cols %d\n", j), 1;
  return 0;
}
