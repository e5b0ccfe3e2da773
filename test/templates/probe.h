// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What benchmarks divide by: this core's FMA peak, measured beside each sample, since clocks drift. And cold weights.
#pragma once

#include "runtime-lite/vec.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <ctime>

namespace sinter::test {

/// Floats aligned as an arena is.
class Floats {
public:
  Floats(size_t n, float value) : data_(static_cast<float *>(aligned_alloc(64, (n * 4 + 63) / 64 * 64))) {
    for (size_t i = 0; i < n; ++i)
      data_[i] = value;
  }
  ~Floats() { free(data_); }
  Floats(const Floats &) = delete;
  Floats &operator=(const Floats &) = delete;
  float *data() { return data_; }

private:
  float *data_;
};

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

} // namespace sinter::test
