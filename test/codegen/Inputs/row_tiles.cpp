// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs row_tiles.mlir: each op as a whole, and by row tiles.
#include "net.h"

#include <cstdio>
#include <cstring>
#include <vector>

static std::vector<float> numbers(size_t n) {
  static unsigned seed = 1;
  std::vector<float> v(n);
  for (float &x : v)
    x = float((seed = seed * 1103515245u + 12345u) >> 16 & 255) / 128 - 1;
  return v;
}

int main() {
  auto image = numbers(2112), planar = numbers(792), taps = numbers(144), panels = numbers(2304), planes = numbers(432),
       plain = numbers(108);
  std::vector<float> whole[] = {std::vector<float>(2112), std::vector<float>(576), std::vector<float>(4224),
                                std::vector<float>(1056), std::vector<float>(576)};
  std::vector<float> tiles[5];
  for (int i = 0; i < 5; ++i)
    tiles[i].resize(whole[i].size());
  net_inputs in = {image.data(), planar.data(), taps.data(), panels.data(), planes.data(), plain.data()};
  net_outputs out = {whole[0].data(), tiles[0].data(), whole[1].data(), tiles[1].data(), whole[2].data(),
                     tiles[2].data(), whole[3].data(), tiles[3].data(), whole[4].data(), tiles[4].data()};
  if (int status = net_run(&in, &out, nullptr))
    return std::printf("status %d\n", status), 1;
  int failures = 0;
  for (int i = 0; i < 5; ++i)
    if (std::memcmp(whole[i].data(), tiles[i].data(), whole[i].size() * sizeof(float)) != 0)
      ++failures, std::printf("pair %d differs\n", i);
  return failures;
}
