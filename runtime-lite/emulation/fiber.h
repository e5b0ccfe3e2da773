// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fiber: a stack of its own that a function runs on, until it hands over to another. One for each CUDA thread.
// The sanitizers are told of each switch: to TSan a fiber is a thread, and a switch orders nothing. So that it sees
// what kernels do and nothing else, the files of this folder are compiled with -DEMULATION_TSAN, and not with
// -fsanitize=thread: they say themselves what a thread reads and writes (threads.h).
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define EMULATION_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EMULATION_ASAN 1
#endif
#endif

namespace sinter::cuda::emulation {

class Fiber {
public:
  Fiber() = default;
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Is from now on the thread that calls.
  void adopt();
  /// Makes ready to run `body`, which never returns, from its start.
  void start(void (*body)());
  /// Runs `next` until something switches back here.
  void switchTo(Fiber &next);
  /// A fiber that is left for good says so before its last switch.
  bool ends = false;

  /// To TSan: what this one has done is known to `other` from now on.
  void precedes(Fiber &other);
  /// To TSan: from here to the end of the scope it is `fiber` that acts, though nothing switches.
  class Acts {
  public:
    explicit Acts(Fiber &fiber);
    ~Acts();
    Acts(const Acts &) = delete;
    Acts &operator=(const Acts &) = delete;

  private:
    [[maybe_unused]] void *self = nullptr;
  };

  static constexpr size_t kStackBytes = 256 << 10;

private:
  static void enter();
  static void arrive(void *fakeStack);
  void *toSanitizer();
  [[maybe_unused]] bool isAdopted = false;

  void *context = nullptr; ///< the stack's pointer, or a ucontext_t
  char *stack = nullptr;
  const void *bounds = nullptr; ///< the stack's lowest address
  size_t stackBytes = 0;
  void *fakeStack = nullptr;                        ///< ASan's
  [[maybe_unused]] void *sanitizerThread = nullptr; ///< TSan's, which stays the same for all that run on this stack
};

} // namespace sinter::cuda::emulation
