// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace hook of measured programs: how long each kernel takes, and the calls of the fastest run one by one.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

struct Tracer {
  using Clock = std::chrono::steady_clock;
  /// A kernel ran from `start` to `start + seconds`, counted from the begin of the run.
  struct Event {
    int64_t kernel;
    double start, seconds;
  };
  std::vector<double> least;          ///< per kernel: seconds in a run, all its calls together; 0 if never called
  std::vector<Event> events, fastest; ///< of this run, of the fastest run

  explicit Tracer(int kernels) : least(static_cast<size_t>(kernels), 0), sums(least) {}

  void begin() {
    events.clear();
    start = last = Clock::now();
  }
  /// sinter_trace::kernel: the kernel took what has passed since the one before.
  static void call(void *ctx, int kernel, const void *const *, int) {
    auto &self = *static_cast<Tracer *>(ctx);
    const Clock::time_point now = Clock::now();
    self.events.push_back({kernel, seconds(self.start, self.last), seconds(self.last, now)});
    self.last = Clock::now(); // noting it down is not the next kernel's time
  }
  void end(double runSeconds) {
    sums.assign(sums.size(), 0);
    for (const Event &event : events)
      sums[static_cast<size_t>(event.kernel)] += event.seconds;
    for (size_t i = 0; i < sums.size(); ++i)
      if (sums[i] > 0 && (least[i] == 0 || sums[i] < least[i]))
        least[i] = sums[i];
    if (fastestSeconds < 0 || runSeconds < fastestSeconds) {
      fastestSeconds = runSeconds;
      fastest.swap(events);
    }
  }

private:
  static double seconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }
  std::vector<double> sums;
  double fastestSeconds = -1;
  Clock::time_point start, last;
};
