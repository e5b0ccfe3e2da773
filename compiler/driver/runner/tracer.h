// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace hook of measured programs: how long each kernel takes, and the calls of the fastest run one by one.
#pragma once

#include "clock.h"
#include "list.h"

struct Tracer {
  /// A kernel ran from `start` to `start + seconds`, counted from the begin of the run.
  struct Event {
    int64_t kernel;
    double start, seconds;
  };
  List<double> least;          ///< per kernel: seconds in a run, all its calls together; 0 if never called
  List<Event> events, fastest; ///< of this run, of the fastest run

  explicit Tracer(int kernels) {
    least.resize(static_cast<size_t>(kernels));
    sums.resize(static_cast<size_t>(kernels));
  }

  void begin() {
    events.clear();
    start = last = now();
  }
  /// sinter_trace::kernel: the kernel took what has passed since the one before.
  static void call(void *ctx, int kernel, const void *const *, int) {
    auto &self = *static_cast<Tracer *>(ctx);
    const int64_t end = now();
    self.events.push_back({kernel, secondsBetween(self.start, self.last), secondsBetween(self.last, end)});
    self.last = now(); // noting it down is not the next kernel's time
  }
  void end(double runSeconds) {
    for (double &sum : sums)
      sum = 0;
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
  List<double> sums;
  double fastestSeconds = -1;
  int64_t start = 0, last = 0;
};
