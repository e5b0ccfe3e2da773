// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forking, waiting, limits. Results come back in anonymous files, which hold any length without anybody reading.
#include "children.h"

#include "llvm/Support/ErrorHandling.h"
#include <chrono>
#include <map>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sinter {
namespace {
using Clock = std::chrono::steady_clock;

struct Child {
  size_t index;
  int text, log; ///< files
  Clock::time_point start;
};

int anonymousFile(const char *name) {
  int file = memfd_create(name, MFD_CLOEXEC); // a compiler that outlives its child would keep it open
  if (file < 0)
    llvm::report_fatal_error("cannot make an anonymous file");
  return file;
}

std::string contentsOf(int file) {
  std::string text;
  char buffer[4096];
  lseek(file, 0, SEEK_SET);
  for (ssize_t got; (got = read(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(got));
  return text;
}

void writeAll(int file, const std::string &text) {
  for (size_t at = 0; at < text.size();) {
    ssize_t written = write(file, text.data() + at, text.size() - at);
    if (written <= 0)
      _exit(1);
    at += static_cast<size_t>(written);
  }
}

void limitMemory(rlim_t bytes) {
  rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = bytes;
  setrlimit(RLIMIT_AS, &limit);
}

pid_t start(Child &child, const ChildLimits &limits, bool keepLog, llvm::function_ref<std::string(size_t)> work) {
  child.text = anonymousFile("text");
  child.log = keepLog ? anonymousFile("log") : -1;
  pid_t pid = fork();
  if (pid < 0)
    llvm::report_fatal_error("cannot fork");
  if (pid > 0)
    return pid;
  if (keepLog)
    dup2(child.log, STDERR_FILENO);
  if (limits.megabytes)
    limitMemory(limits.megabytes << 20);
  alarm(limits.seconds);
  writeAll(child.text, work(child.index));
  _exit(0);
}

ChildResult finish(const Child &child, int status, const rusage &usage) {
  ChildResult result;
  result.index = child.index;
  result.seconds = std::chrono::duration<double>(Clock::now() - child.start).count();
  result.kilobytes = usage.ru_maxrss;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  result.exitStatus = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  if (status == 0)
    result.text = contentsOf(child.text);
  close(child.text);
  if (child.log >= 0) {
    result.log = contentsOf(child.log);
    close(child.log);
  }
  return result;
}
} // namespace

void runInChildren(size_t count, const ChildLimits &limits, bool keepLog, llvm::function_ref<std::string(size_t)> work,
                   llvm::function_ref<void(const ChildResult &)> done) {
  std::map<pid_t, Child> running;
  for (size_t next = 0, ended = 0; ended < count;) {
    for (; running.size() < limits.jobs && next < count; ++next) {
      Child child{next, -1, -1, Clock::now()};
      pid_t pid = start(child, limits, keepLog, work);
      running[pid] = child;
    }
    int status = 0;
    rusage usage;
    auto child = running.find(wait4(-1, &status, 0, &usage));
    if (child == running.end())
      continue;
    ChildResult result = finish(child->second, status, usage);
    running.erase(child);
    ++ended;
    done(result);
  }
}

void liftMemoryLimit() { limitMemory(RLIM_INFINITY); }

} // namespace sinter
