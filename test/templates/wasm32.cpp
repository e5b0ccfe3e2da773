// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the library has of its own for WebAssembly's vectors, against plain arithmetic: fma, roundEven, nearestInt,
// sqrt, dot4. Built by wasm32.test, with relaxed SIMD and without.
#include "templates/dot4/int_depthwise.h"
#include "templates/dot4/int_dot.h"
#include "templates/math/math_round.h"

#include <cmath>
#include <cstdio>

using namespace sinter;

namespace {
using Floats = Vec<float, 4>;
using Doubles = Vec<double, 2>;
using Ints = Vec<int32_t, 4>;

int failures = 0;
void check(bool holds, const char *what, double at) {
  if (!holds && ++failures < 20)
    std::printf("%s at %a\n", what, at);
}
bool same(double a, double b) { return a == b ? std::signbit(a) == std::signbit(b) : a != a && b != b; }

uint32_t state = 1;
uint32_t next() { return state = state * 1664525u + 1013904223u; }
float anyFloat() { return bitCast<float>(next()); }

void checkRounding(float x) {
  const float expected = std::nearbyintf(x);
  check(same(roundEven(x), expected), "roundEven of a float", double(x));
  check(same(roundEven(Floats{x, x, x, x})[3], expected), "roundEven of floats", double(x));
  check(same(roundEven(double(x)), double(expected)), "roundEven of a double", double(x));
  check(same(roundEven(Doubles{x, x})[1], double(expected)), "roundEven of doubles", double(x));
  check(same(sinter::sqrt(x), std::sqrt(x)), "sqrt of a float", double(x));
  check(same(sinter::sqrt(Floats{x, x, x, x})[2], std::sqrt(x)), "sqrt of floats", double(x));
  check(same(sinter::sqrt(Doubles{x, x})[1], std::sqrt(double(x))), "sqrt of doubles", double(x));
  if (!(std::fabs(x) <= 0x1p22f))
    return;
  check(nearestInt<int32_t>(x) == int32_t(expected), "nearestInt of a float", double(x));
  check(nearestInt<Ints>(Floats{x, x, x, x})[1] == int32_t(expected), "nearestInt of floats", double(x));
}

/// Rounded once, or twice: what engines may do.
void checkFma(float a, float b, float c) {
  const float once = std::fmaf(a, b, c), twice = a * b + c;
  const Floats four = sinter::fma(Floats{a, a, a, a}, Floats{b, b, b, b}, Floats{c, c, c, c});
  check(same(four[0], once) || same(four[0], twice), "fma of floats", double(a));
  check(same(sinter::fma(a, b, c), four[0]), "fma of a float is that of floats", double(a));
  if (!kHasFma)
    check(same(four[0], twice), "fma without relaxed SIMD rounds twice", double(a));
}

template <bool kSigned>
void checkDot4() {
  Ints x, w, sums;
  for (int i = 0; i < 4; ++i) {
    x[i] = int32_t(next());
    w[i] = int32_t(next());
    sums[i] = int32_t(next());
  }
  const Ints got = dot4<kSigned>(sums, x, w);
  for (int i = 0; i < 4; ++i) {
    uint32_t expected = uint32_t(sums[i]);
    for (int shift = 0; shift < 32; shift += 8) {
      const auto byte = uint8_t(uint32_t(x[i]) >> shift);
      expected += uint32_t((kSigned ? int32_t(int8_t(byte)) : int32_t(byte)) * int8_t(uint32_t(w[i]) >> shift));
    }
    check(uint32_t(got[i]) == expected, kSigned ? "dot4 of signed bytes" : "dot4 of unsigned bytes", i);
  }
}

/// 3 x 3 of 16 channels, of which taps beside the kernel are zeros in the packed weights.
void checkDepthwise() {
  constexpr int64_t channels = 16, height = 4, width = 6;
  ConvShape s;
  s.channels = s.filters = s.groups = channels;
  s.kernelH = s.kernelW = 3, s.height = height, s.width = width, s.outHeight = height - 2, s.outWidth = width - 2;
  s.in = blockedLayout(channels, height, width, channels);
  s.out = blockedLayout(channels, s.outHeight, s.outWidth, channels);
  int8_t in[height * width * channels], weights[3 * channels * 4];
  int32_t out[(height - 2) * (width - 2) * channels];
  for (int8_t &x : in)
    x = int8_t(next() >> 24);
  for (int i = 0; i < 3 * channels * 4; ++i)
    weights[i] = i % 4 == 3 ? int8_t(0) : int8_t(next() >> 24);
  intDepthwise<3, 1, SignedBytes>(s, in, weights, out, 0, s.outHeight,
                                  [](auto sum, int64_t, int64_t, int64_t, int64_t) { return sum; });
  for (int64_t i = 0; i < s.out.batch; ++i) {
    const int64_t c = i % channels, w = i / s.out.pixel % s.outWidth, h = i / s.out.row;
    int32_t expected = 0;
    for (int64_t tap = 0; tap < 9; ++tap)
      expected += in[(h + tap / 3) * s.in.row + (w + tap % 3) * s.in.pixel + c] *
                  weights[(tap / 3 * channels + c) * 4 + tap % 3];
    check(out[i] == expected, "depthwise convolution of bytes", double(i));
  }
}
} // namespace

int main() {
  checkDepthwise();
  for (const float x : {0.0f, -0.0f, 0.5f, -0.5f, 1.5f, 2.5f, -2.5f, 0x1p22f, -0x1p22f, 0x1.fffffep21f, INFINITY, NAN})
    checkRounding(x);
  for (int i = 0; i < 200000; ++i) {
    checkRounding(anyFloat());
    checkRounding(float(int32_t(next())) * 0x1p-10f);
    checkFma(anyFloat(), anyFloat(), anyFloat());
    checkFma(1.0f + float(next() >> 9) * 0x1p-23f, 1.0f + float(next() >> 9) * 0x1p-23f, -1.0f);
    checkDot4<true>();
    checkDot4<false>();
  }
  std::printf("fused by the library: %d, failures: %d\n", int(kHasFma), failures);
  return failures != 0;
}
