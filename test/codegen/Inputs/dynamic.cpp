// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statuses and results of dynamic.mlir's model for several sizes.
#include "net.h"

#include <cstdio>
#include <vector>

#define CHECK(condition)                                                                                               \
  if (!(condition))                                                                                                    \
  return std::printf("line %d: %s\n", __LINE__, #condition), 1

int main() {
  alignas(64) static char arena[NET_ARENA_BYTES];
  for (int64_t seq : {0, 1, 5, 16}) {
    std::vector<float> x(static_cast<size_t>(seq * 8)), y(x.size());
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = float(i % 7) - 3;
    float picked[24], power[4];
    int64_t steps = -1, count = seq == 0 ? 0 : 2;
    int32_t rows[3] = {-1, 0, 100};
    net_inputs in = {x.data(), rows, &count, seq};
    net_outputs out = {};
    out.y = y.data(), out.picked = picked, out.power = power, out.steps = &steps;
    CHECK(net_run(&in, &out, arena) == 0);
    CHECK(out.y_dims[0] == seq && out.y_dims[1] == 8 && out.picked_dims[0] == count && out.picked_dims[1] == 8);
    for (size_t i = 0; i < x.size(); ++i)
      CHECK(y[i] == (count > 1 || x[i] > 0 ? x[i] : 0));
    for (int64_t j = 0; j < 8 * count; ++j)
      CHECK(picked[j] == x[static_cast<size_t>((j < 8 ? seq - 1 : 0) * 8 + j % 8)]);
    CHECK(power[0] == (seq ? 4 : 1) && power[3] == power[0]);
    CHECK(steps == (seq ? 17 : 0)); // 15 takes 17 steps
    count = 3;
    CHECK(net_run(&in, &out, arena) == 5); // row 100; with no rows, any row
    count = 4;
    CHECK(net_run(&in, &out, arena) == 4);
    count = INT64_MIN;
    CHECK(net_run(&in, &out, arena) == 4);
    in.seq = 17;
    CHECK(net_run(&in, &out, arena) == 3);
    in.seq = -1;
    CHECK(net_run(&in, &out, arena) == 3);
  }
  return 0;
}
