// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handlers, and the fixed tables that they read. A handler allocates nothing, takes no lock, and calls only functions
// on POSIX's list of those that are safe in signals (and the system call beneath readdir, which is not on it).
#include "driver/signals.h"

#include "diagnostics/diagnostics.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sched.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

using namespace llvm;

namespace sinter {
namespace {

enum State : int { Free, BeingWritten, Everything, EmptyFolder };
struct Slot {
  std::atomic<int> state = Free;
  char path[PATH_MAX];
};
constexpr size_t slotCount = 64;
Slot slots[slotCount];

constexpr size_t childCount = 64;
std::atomic<int> children[childCount];

std::atomic<int> waiting = 0;   ///< SignalsWait objects
std::atomic<int> ending = 0;    ///< handlers that ask whether they wait, or that end the program
std::atomic<int> postponed = 0; ///< the interruption that came meanwhile
std::atomic<bool> installed = false;

char crashText[2 * PATH_MAX + 256];
std::atomic<size_t> crashTextSize = 0;

constexpr int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGSYS};
constexpr int interruptions[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGUSR2, SIGXCPU, SIGXFSZ};

/// Removes what is in the folder, which stays. Elsewhere than on Linux files that Sinter has not named stay too.
void removeContents(int folder, int depth) {
#ifdef __linux__
  struct Entry { // linux_dirent64
    uint64_t inode;
    int64_t next;
    unsigned short size;
    unsigned char type;
    char name[1];
  };
  alignas(Entry) char buffer[2048];
  for (long bytes; (bytes = syscall(SYS_getdents64, folder, buffer, sizeof(buffer))) > 0;)
    for (long at = 0; at < bytes;) {
      auto *entry = reinterpret_cast<Entry *>(buffer + at);
      at += entry->size;
      const char *name = entry->name;
      if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0 || unlinkat(folder, name, 0) == 0 || depth == 0)
        continue;
      int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (inner < 0)
        continue;
      removeContents(inner, depth - 1);
      close(inner);
      unlinkat(folder, name, AT_REMOVEDIR);
    }
#else
  (void)folder, (void)depth;
#endif
}

void removeEverything(const char *path) {
  // Other threads and children may still be making files.
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (unlink(path) == 0 || errno == ENOENT || rmdir(path) == 0 || errno == ENOENT)
      return;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
      return;
    removeContents(folder, 8);
    close(folder);
  }
}

void leaveNothing() {
  for (std::atomic<int> &child : children)
    if (int process = child; process > 0)
      kill(-process, SIGTERM);
  for (Slot &slot : slots)
    if (slot.state == Everything)
      removeEverything(slot.path);
  for (size_t i = slotCount; i-- > 0;) // inner folders were made behind outer ones
    if (slots[i].state == EmptyFolder)
      rmdir(slots[i].path);
}

/// Whether the signal has to come again when no SignalsWait lives. If not, none begins from here on: `ending` is raised
/// before `waiting` is read, and SignalsWait does both the other way round, so one of two threads sees the other.
bool postpone(int number) {
  ++ending;
  if (waiting == 0)
    return false;
  postponed = number;
  --ending;
  return true;
}

void onCrash(int number, siginfo_t *info, void *) {
  if (info->si_code == SI_USER && postpone(number)) // no crash: sent from elsewhere
    return;
  ++ending;
  // Of several threads that crash, the first ends the program.
  static std::atomic<bool> begun = false;
  if (begun.exchange(true))
    pause();
  alarm(10); // should the file system hang
  (void)!write(STDERR_FILENO, crashText, crashTextSize);
  leaveNothing();
  _exit(4);
}

void onInterruption(int number, siginfo_t *, void *) {
  if (postpone(number))
    return;
  leaveNothing();
  signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  raise(number);
}

void outOfMemory() {
  constexpr char text[] = "sinter: error: out of memory\n";
  (void)!write(STDERR_FILENO, text, sizeof(text) - 1);
  leaveNothing();
  _exit(4);
}

void handle(int number, void (*handler)(int, siginfo_t *, void *)) {
  struct sigaction action = {}, before = {};
  if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN)
    return; // nohup
  action.sa_sigaction = handler;
  action.sa_flags = SA_ONSTACK | SA_RESTART | SA_SIGINFO;
  sigfillset(&action.sa_mask);
  for (int crash : crashes)
    sigdelset(&action.sa_mask, crash);
  sigaction(number, &action, nullptr);
}

} // namespace

void installSignalHandlers() {
  installed = true;
  nameModelInCrashes("sinter");
  static SignalStack stack;
  for (int number : crashes)
    handle(number, onCrash);
  for (int number : interruptions)
    handle(number, onInterruption);
  std::set_new_handler(outOfMemory);
  install_bad_alloc_error_handler([](void *, const char *, bool) { outOfMemory(); });
}

bool handlesSignals() { return installed; }

void nameModelInCrashes(StringRef model) {
  std::string text;
  raw_string_ostream out(text);
  Diagnostics diagnostics;
  diagnostics.report({Code::CompilerFailed, "the compiler crashed", {}, "please report it with the model"});
  diagnostics.print(out, model.take_back(PATH_MAX / 2));
  crashTextSize = 0;
  size_t size = std::min(text.size(), sizeof(crashText));
  std::memcpy(crashText, text.data(), size);
  crashTextSize = size;
}

SignalStack::SignalStack() {
  constexpr size_t bytes = 64 << 10;
  memory = new char[bytes];
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = bytes;
  sigaltstack(&stack, nullptr);
}

SignalStack::~SignalStack() {
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  delete[] memory;
}

RemovedOnSignal::RemovedOnSignal(StringRef path, What what) : slot(nullptr) {
  if (path.size() >= PATH_MAX)
    return;
  for (Slot &each : slots) {
    int expected = Free;
    if (!each.state.compare_exchange_strong(expected, BeingWritten))
      continue;
    std::memcpy(each.path, path.data(), path.size());
    each.path[path.size()] = 0;
    each.state = what == What::Everything ? Everything : EmptyFolder;
    slot = &each;
    return;
  }
}

RemovedOnSignal::~RemovedOnSignal() {
  if (slot)
    static_cast<Slot *>(slot)->state = Free;
}

EndedOnSignal::EndedOnSignal(int process) : process(process) {
  for (std::atomic<int> &child : children) {
    int expected = 0;
    if (child.compare_exchange_strong(expected, process))
      return;
  }
}

EndedOnSignal::~EndedOnSignal() {
  for (std::atomic<int> &child : children) {
    int expected = process;
    if (child.compare_exchange_strong(expected, 0))
      return;
  }
}

SignalsWait::SignalsWait() {
  for (++waiting; ending > 0; ++waiting) { // another thread's handler reads `waiting`, or removes what there is
    --waiting;
    while (ending > 0)
      sched_yield();
  }
}

SignalsWait::~SignalsWait() {
  if (--waiting == 0)
    if (int number = postponed.exchange(0))
      raise(number);
}

} // namespace sinter
