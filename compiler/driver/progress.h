// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What long work is at, how far, and how long it still takes: one line on a terminal. Where output is piped, nothing
// for the first seconds, then a line now and then (SINTER_PROGRESS: how many seconds, or `off`).
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace sinter {

class Progress {
public:
  explicit Progress(const std::string &what);
  ~Progress();
  Progress(const Progress &) = delete;
  /// Something else is done from now on.
  void step(const std::string &what);
  /// So many of all.
  void count(size_t done, size_t all);
  /// Takes the line away; nothing is said until the next step. To be called before anything else is printed.
  void done();

  /// "compiling net.onnx: 12 of 100, 8 s left", as far as that is known. For tests.
  static std::string textOf(const std::string &what, size_t done, size_t all, double seconds);

private:
  using Clock = std::chrono::steady_clock;
  void watch();
  void show();
  double seconds() const;

  std::mutex mutex; ///< of all below
  std::condition_variable changed;
  std::string what;
  size_t counted = 0, all = 0;
  Clock::time_point begin;
  double sayAt = 0, interval = 0; ///< piped: when the next line is due
  bool isOnTerminal, isActive = false, isShown = false, ends = false;
  std::thread watcher;
};

} // namespace sinter
