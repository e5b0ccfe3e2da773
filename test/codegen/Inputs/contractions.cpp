// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares contractions.mlir's results with plain loops.
#include "net.h"

#include <cmath>
#include <cstdio>
#include <vector>

static std::vector<float> numbers(int n) {
  static unsigned seed = 1;
  std::vector<float> v(static_cast<size_t>(n));
  for (float &x : v)
    x = float((seed = seed * 1103515245u + 12345u) >> 16 & 255) / 128 - 1;
  return v;
}
static int failures = 0;
static void compare(const char *what, double a, double b) {
  if (!(std::fabs(a - b) <= 1e-4 * (1 + std::fabs(b))) && failures++ < 10)
    std::printf("%s: %g, not %g\n", what, a, b);
}

int main() {
  auto a = numbers(600), b = numbers(1280), bias = numbers(32), q = numbers(168), kv = numbers(216),
       image = numbers(960), filter = numbers(4608), planar = numbers(594), planes = numbers(864), dwf = numbers(288),
       group = numbers(24);
  int64_t ints[16], square[16];
  for (int i = 0; i < 16; ++i)
    ints[i] = int64_t(i * 3 - 7) << 33;
  std::vector<float> gemm(300), scores(189), mix(168), conv(1920), first(1920), dw(1920), grouped(60);
  net_inputs in = {a.data(),     b.data(),      bias.data(),   q.data(),      kv.data(),  ints,
                   image.data(), filter.data(), planar.data(), planes.data(), dwf.data(), group.data()};
  net_outputs out = {gemm.data(), scores.data(), mix.data(), square,
                     conv.data(), first.data(),  dw.data(),  grouped.data()};
  sinter_env env = {};
  env.size = sizeof(env);
#ifdef POOL
  // The last share first: no share may depend on another one.
  sinter_parallel pool = {};
  pool.run = [](void *, int n, void (*task)(void *, int), void *argument) {
    while (n-- > 0)
      task(argument, n);
  };
  pool.threads = 3;
  env.parallel = &pool;
#endif
  if (int status = net_run_with(&in, &out, &env))
    return std::printf("status %d\n", status), 1;

  for (int i = 0; i < 15; ++i)
    for (int j = 0; j < 20; ++j) {
      double sum = bias[j];
      for (int p = 0; p < 40; ++p)
        sum += a[i * 40 + p] * b[(j / 16 * 40 + p) * 16 + j % 16];
      compare("gemm", gemm[i * 20 + j], std::fmax(sum, 0));
    }
  for (int n = 0; n < 3; ++n)
    for (int i = 0; i < 7; ++i) {
      for (int j = 0; j < 9; ++j) {
        double sum = 0;
        for (int p = 0; p < 8; ++p)
          sum += q[(n * 7 + i) * 8 + p] * kv[(n * 9 + j) * 8 + p];
        compare("scores", scores[(n * 7 + i) * 9 + j], sum);
      }
      for (int j = 0; j < 8; ++j) {
        double sum = q[(n * 7 + i) * 8 + j];
        for (int p = 0; p < 9; ++p)
          sum += scores[(n * 7 + i) * 9 + p] * kv[(n * 9 + p) * 8 + j];
        compare("mix", mix[(n * 7 + i) * 8 + j], sum);
      }
    }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      uint64_t sum = 0;
      for (int p = 0; p < 4; ++p)
        sum += uint64_t(ints[p * 4 + i]) * uint64_t(ints[p * 4 + j]);
      failures += uint64_t(square[i * 4 + j]) != sum;
    }
  auto blocked = [](int c, int n, int k, int h, int w) { return (((n * c + k / 8) * 5 + h) * 6 + w) * 8 + k % 8; };
  for (int n = 0; n < 2; ++n)
    for (int k = 0; k < 32; ++k)
      for (int h = 0; h < 5; ++h)
        for (int w = 0; w < 6; ++w) {
          double full = bias[k], strided = conv[blocked(4, n, k, h, w)], deep = 0;
          for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 3; ++x) {
              const int r = h + y - 1, s = w + x - 1, r2 = 2 * h + y - 1, s2 = 2 * w + x - 1;
              if (r >= 0 && r < 5 && s >= 0 && s < 6) {
                for (int c = 0; c < 16; ++c)
                  full += image[blocked(2, n, c, r, s)] * filter[(((k / 16 * 3 + y) * 3 + x) * 16 + c) * 16 + k % 16];
                deep += conv[blocked(4, n, k, r, s)] * dwf[(y * 3 + x) * 32 + k];
              }
              if (r2 >= 0 && r2 < 9 && s2 >= 0 && s2 < 11)
                for (int c = 0; c < 3; ++c)
                  strided += planar[((n * 3 + c) * 9 + r2) * 11 + s2] *
                             planes[(((k / 16 * 3 + c) * 3 + y) * 3 + x) * 16 + k % 16];
            }
          compare("conv", conv[blocked(4, n, k, h, w)], full);
          compare("first", first[blocked(4, n, k, h, w)], strided);
          compare("depthwise", dw[blocked(4, n, k, h, w)], deep);
        }
  for (int n = 0; n < 3; ++n)
    for (int k = 0; k < 4; ++k)
      for (int w = 0; w < 5; ++w) {
        double sum = bias[k];
        for (int c = 0; c < 2; ++c)
          for (int x = 0; x < 3; ++x)
            sum += q[(n * 7 + k / 2 * 2 + c) * 8 + w + x] * group[(k * 2 + c) * 3 + x];
        compare("grouped", grouped[(n * 4 + k) * 5 + w], sum);
      }
  return failures != 0;
}
