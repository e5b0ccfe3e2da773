// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread looks at the clock, so that work which says nothing is told of too.
#include "driver/progress.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Process.h"
#include <cmath>
#include <cstdio>

using namespace llvm;

namespace sinter {
namespace {
constexpr double firstSeconds = 10, mostSeconds = 60;

/// Past streams of ours, which the working thread may be writing to.
void say(const std::string &text) { std::fwrite(text.data(), 1, text.size(), stderr); }

/// After how many seconds a piped line is due; infinite for never.
double patience() {
  std::optional<std::string> given = sys::Process::GetEnv("SINTER_PROGRESS");
  double seconds = firstSeconds;
  if (given && (*given == "off" || StringRef(*given).getAsDouble(seconds)))
    return *given == "off" ? INFINITY : firstSeconds;
  return seconds;
}

std::string roundedDuration(double seconds) {
  auto whole = static_cast<long>(seconds + 0.5);
  return whole < 120 ? std::to_string(whole) + " s" : std::to_string((whole + 30) / 60) + " min";
}
} // namespace

std::string Progress::textOf(const std::string &what, size_t done, size_t all, double seconds) {
  std::string text = what;
  if (all > 1)
    text += ": " + std::to_string(done) + " of " + std::to_string(all);
  if (all > 1 && done > 0 && seconds >= 1)
    return text + ", " + roundedDuration(seconds / static_cast<double>(done) * static_cast<double>(all - done)) +
           " left";
  return seconds >= 3 ? text + ", " + roundedDuration(seconds) + " so far" : text;
}

Progress::Progress(const std::string &what) : isOnTerminal(sys::Process::StandardErrIsDisplayed()) {
  sayAt = interval = patience();
  step(what);
  if (isOnTerminal || std::isfinite(sayAt))
    watcher = std::thread([this] { watch(); });
}

Progress::~Progress() {
  done();
  {
    std::lock_guard lock(mutex);
    ends = true;
  }
  changed.notify_all();
  if (watcher.joinable())
    watcher.join();
}

void Progress::step(const std::string &next) {
  done();
  std::lock_guard lock(mutex);
  what = next;
  counted = all = 0;
  begin = Clock::now();
  sayAt = interval = patience();
  isActive = true;
  if (isOnTerminal)
    show();
  changed.notify_all();
}

void Progress::count(size_t done, size_t most) {
  std::lock_guard lock(mutex);
  counted = done;
  all = most;
}

void Progress::done() {
  std::lock_guard lock(mutex);
  if (isShown)
    say("\r\033[K");
  isShown = isActive = false;
}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void Progress::show() {
  std::string text = textOf(what, counted, all, seconds());
  say(isOnTerminal ? "\r\033[K" + text + " ..." : "sinter: " + text + "\n");
  isShown = isOnTerminal;
}

void Progress::watch() {
  std::unique_lock lock(mutex);
  while (!ends) {
    double wait = isOnTerminal ? 0.5 : std::max(sayAt - seconds(), 0.01);
    if (isActive)
      changed.wait_for(lock, std::chrono::duration<double>(wait));
    else
      changed.wait(lock);
    if (ends || !isActive)
      continue;
    if (isOnTerminal) {
      show();
    } else if (seconds() >= sayAt) {
      show();
      interval = std::min(2 * std::max(interval, 0.01), mostSeconds);
      sayAt = seconds() + interval;
    }
  }
}

} // namespace sinter
