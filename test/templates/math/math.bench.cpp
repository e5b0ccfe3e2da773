// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function of math_*.h on floats, and the usual ones on doubles: nanoseconds per element, data in the first-level
// cache. And how reduce_lanes.h adds up as many.
#include "templates/math/math.h"
#include "probe.h"
#include "templates/loops/map.h"
#include "templates/loops/reduce_lanes.h"

using namespace sinter;

namespace {

constexpr int64_t kCount = 2048;

template <class T, class F>
void function(benchmark::State &state, T low, T high, F f) {
  const test::Buffer<T> in(kCount, float(low), float(high));
  test::Buffer<T> out(kCount);
  test::measureElements(state, kCount, [&] {
    map<T>(kCount,
           [&](auto tag, int64_t i) { store(out.data() + i, f(load<typename decltype(tag)::Type>(in.data() + i))); });
  });
}

#define FUNCTION(T, name, low, high)                                                                                   \
  BENCHMARK_CAPTURE(function, name##_##T, T(low), T(high), [](auto x) { return name(x); })

FUNCTION(float, exp, -10, 10);
FUNCTION(float, expNegative, -10, 0);
FUNCTION(float, exp2, -10, 10);
FUNCTION(float, expm1, -2, 2);
FUNCTION(float, sigmoid, -8, 8);
FUNCTION(float, tanh, -4, 4);
FUNCTION(float, silu, -8, 8);
FUNCTION(float, erf, -3, 3);
FUNCTION(float, gelu, -4, 4);
FUNCTION(float, geluTanh, -4, 4);
FUNCTION(float, log, 0, 10);
FUNCTION(float, log2, 0, 10);
FUNCTION(float, log10, 0, 10);
FUNCTION(float, log1p, 0, 10);
FUNCTION(float, softplus, -8, 8);
FUNCTION(float, mish, -8, 8);
FUNCTION(float, sinh, -4, 4);
FUNCTION(float, cosh, -4, 4);
FUNCTION(float, asinh, -4, 4);
FUNCTION(float, acosh, 1, 10);
FUNCTION(float, atanh, -1, 1);
FUNCTION(float, sin, -10, 10);
FUNCTION(float, cos, -10, 10);
FUNCTION(float, tan, -1, 1);
FUNCTION(float, asin, -1, 1);
FUNCTION(float, acos, -1, 1);
FUNCTION(float, atan, -4, 4);
FUNCTION(float, cbrt, 0, 10);
FUNCTION(float, sqrt, 0, 10);
FUNCTION(float, rsqrt, 1, 10);
FUNCTION(float, roundEven, -9, 9);
FUNCTION(float, floor, -9, 9);
FUNCTION(double, exp, -10, 10);
FUNCTION(double, log, 0, 10);
FUNCTION(double, tanh, -4, 4);
FUNCTION(double, erf, -3, 3);
FUNCTION(double, sin, -10, 10);
BENCHMARK_CAPTURE(function, pow_float, 0.0f, 4.0f, [](auto x) { return pow(x, x); });
BENCHMARK_CAPTURE(function, fmod_float, 1.0f, 4.0f, [](auto x) { return fmod(splat<decltype(x)>(9.7f), x); });

void sumOfLanes(benchmark::State &state) {
  const test::Floats in(kCount, -1, 1);
  test::measureElements(state, kCount, [&] {
    benchmark::DoNotOptimize(reduceLanes<float>(
        kCount, [&](auto tag, int64_t i) { return load<typename decltype(tag)::Type>(in.data() + i); }, 0.0f, Sum{}));
  });
}
BENCHMARK(sumOfLanes);

} // namespace

BENCHMARK_MAIN();
