// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that a caller should not pass: indices out of range, divisors of zero and -1, shifts beyond the width, floats
// that no integer is. hostile_values.py builds it for each architecture; 19 elements, so that vectors and what is left
// over both see them.
#include "arithmetic.h"
#include "checked.h"
#include "clamped.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

static int wrong = 0;

template <class T>
static void expect(const char *what, int i, T actual, T expected) {
  if (actual == expected)
    return;
  std::fprintf(stderr, "%s[%d]: %lld instead of %lld\n", what, i, static_cast<long long>(actual),
               static_cast<long long>(expected));
  ++wrong;
}

static void embedding() {
  alignas(64) static unsigned char arena[CHECKED_ARENA_BYTES + CLAMPED_ARENA_BYTES + 64];
  const struct {
    int64_t id;
    int status;
    float clamped;
  } cases[] = {{3, 0, 3.0f},  {-1, 0, 3.0f},        {-4, 0, 0.0f},       {4, 5, 3.0f},
               {-5, 5, 0.0f}, {INT64_MAX, 5, 3.0f}, {INT64_MIN, 5, 0.0f}};
  int number = 0;
  for (const auto &one : cases) {
    int64_t ids[17] = {};
    float y[17 * 2];
    ids[16] = one.id;
    checked_inputs in = {};
    checked_outputs out = {};
    in.ids = ids;
    in.n = 17;
    out.y = y;
    expect("status", number, checked_run(&in, &out, arena), one.status);
    clamped_inputs clampedIn = {};
    clamped_outputs clampedOut = {};
    clampedIn.ids = ids;
    clampedIn.n = 17;
    clampedOut.y = y;
    expect("status when clamped", number, clamped_run(&clampedIn, &clampedOut, arena), 0);
    expect("twice the value when clamped", number, static_cast<int>(2 * y[32]), static_cast<int>(2 * one.clamped));
    ++number;
  }
}

static void arithmetic() {
  constexpr int n = 19;
  alignas(64) static unsigned char arena[ARITHMETIC_ARENA_BYTES + 64];
  int32_t a[n], b[n], ab[n], aModB[n], whole[n];
  int64_t c[n], d[n], cd[n], cModD[n];
  int8_t e[n], f[n], ef[n];
  uint32_t g[n], h[n], gh[n], left[n], right[n];
  float r[n];
  uint8_t byte[n];
  const float reals[] = {NAN, INFINITY, -INFINITY, 3e9f, -3e9f, 255.9f, -0.9f};
  const int bytes[] = {0, 255, 0, 255, 0, 255, 0};
  const int32_t wholes[] = {0, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN, 255, 0};
  for (int i = 0; i < n; ++i) {
    const bool byZero = i % 2 == 0;
    a[i] = byZero ? 7 : INT32_MIN;
    c[i] = byZero ? 7 : INT64_MIN;
    e[i] = byZero ? 7 : INT8_MIN;
    b[i] = byZero ? 0 : -1;
    d[i] = b[i];
    f[i] = static_cast<int8_t>(b[i]);
    g[i] = 5;
    h[i] = byZero ? 0 : 32;
    r[i] = reals[i % 7];
  }
  arithmetic_inputs in = {};
  arithmetic_outputs out = {};
  in.a = a, in.b = b, in.c = c, in.d = d, in.e = e, in.f = f, in.g = g, in.h = h, in.r = r;
  out.ab = ab, out.a_mod_b = aModB, out.cd = cd, out.c_mod_d = cModD, out.ef = ef, out.gh = gh, out.left = left,
  out.right = right;
  out.whole = whole, out.byte = byte;
  expect("status of arithmetic", 0, arithmetic_run(&in, &out, arena), 0);
  for (int i = 0; i < n; ++i) {
    const bool byZero = i % 2 == 0;
    // Whatever is divided by zero gives 0 and leaves nothing over; the least integer by -1 is itself.
    expect("int32 quotient", i, ab[i], byZero ? 0 : INT32_MIN);
    expect("int32 rest", i, aModB[i], 0);
    expect("int64 quotient", i, cd[i], byZero ? 0 : INT64_MIN);
    expect("int64 rest", i, cModD[i], int64_t(0));
    expect<int>("int8 quotient", i, ef[i], byZero ? 0 : INT8_MIN);
    expect("uint32 quotient", i, gh[i], 0u);
    expect("left shift", i, left[i], byZero ? 5u : 0u);
    expect("right shift", i, right[i], byZero ? 5u : 0u);
    expect("int32 of a float", i, whole[i], wholes[i % 7]);
    expect<int>("uint8 of a float", i, byte[i], bytes[i % 7]);
  }
}

int main() {
  embedding();
  arithmetic();
  return wrong != 0;
}
