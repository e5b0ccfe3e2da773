// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What benchmarks divide by: this core's FMA peak, measured beside each sample, since clocks drift. And cold weights.
#pragma once

#include "ulp.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <ctime>

namespace sinter::test {

/// Aligned as an arena is; what kernels store there counts as used.
template <class T>
class Buffer {
public:
  explicit Buffer(size_t n, T value = T())
      : data_(static_cast<T *>(aligned_alloc(64, (n * sizeof(T) + 63) / 64 * 64))) {
    for (size_t i = 0; i < n; ++i)
      data_[i] = value;
    benchmark::DoNotOptimize(data_);
  }
  /// Spread over low..high, the same ones each time.
  Buffer(size_t n, float low, float high) : Buffer(n) {
    Random random(1);
    for (size_t i = 0; i < n; ++i)
      data_[i] = T(random.uniform(low, high));
  }
  ~Buffer() { free(data_); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  T *data() { return data_; }
  const T *data() const { return data_; }

private:
  T *data_;
};
using Floats = Buffer<float>;

/// This thread's processor time: other work on the machine does not count.
inline double threadSeconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// Floating-point operations per second of twelve independent chains of FMAs.
inline double fmaPeak() {
  using V = Vec<float, kLanes<float>>;
  V acc[12];
  for (V &v : acc)
    v = splat<V>(1.0f);
  V x = splat<V>(0.999f), y = splat<V>(0.001f);
  benchmark::DoNotOptimize(x);
  benchmark::DoNotOptimize(y);
  constexpr int kSteps = 20000;
  const double start = threadSeconds();
  for (int i = 0; i < kSteps; ++i) {
    SINTER_UNROLL
    for (int j = 0; j < 12; ++j)
      acc[j] = fma(acc[j], x, y);
  }
  const double t = threadSeconds() - start;
  for (V &v : acc)
    benchmark::DoNotOptimize(v);
  return 2.0 * 12 * kLanes<float> * kSteps / t;
}

/// Runs body(i) for the benchmark's iterations; reports what part of the FMA peak `flop` per call is.
template <class Body>
void measure(benchmark::State &state, double flop, Body body) {
  double seconds = 0, peak = 0;
  int64_t calls = 0;
  for (auto _ : state) {
    peak += fmaPeak();
    const double start = threadSeconds();
    body(calls++);
    const double t = threadSeconds() - start;
    seconds += t;
    state.SetIterationTime(t);
  }
  state.counters["GFLOPS"] = flop * double(calls) / seconds * 1e-9;
  state.counters["%peak"] = 100 * flop * double(calls) / seconds / (peak / double(calls));
}

/// For kernels whose work is not multiply-adds: runs body(), reports nanoseconds for each of the `elements` of a call.
template <class Body>
void measureElements(benchmark::State &state, int64_t elements, Body body) {
  const double start = threadSeconds();
  for (auto _ : state) {
    body();
    benchmark::ClobberMemory();
  }
  state.counters["ns/element"] = (threadSeconds() - start) * 1e9 / double(elements) / double(state.iterations());
}

} // namespace sinter::test
