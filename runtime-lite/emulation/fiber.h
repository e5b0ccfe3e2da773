// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fiber: a stack of its own that a function runs on, until it hands over to another. One for each CUDA thread.
// The sanitizers are told of each switch: to TSan a fiber is a thread, and a switch orders nothing.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define EMULATION_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define EMULATION_TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EMULATION_ASAN 1
#elif __has_feature(thread_sanitizer)
#define EMULATION_TSAN 1
#endif
#endif

namespace sinter::cuda::emulation {

class Fiber {
public:
  Fiber() = default; ///< the thread that calls, once it switches
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Makes ready to run `body`, which never returns, from its start.
  void start(void (*body)());
  /// Runs `next` until something switches back here.
  void switchTo(Fiber &next);
  /// A fiber that is left for good says so before its last switch.
  bool ends = false;

  static constexpr size_t kStackBytes = 256 << 10;

private:
  static void enter();
  static void arrive(void *fakeStack);

  void *context = nullptr; ///< the stack's pointer, or a ucontext_t
  char *stack = nullptr;
  const void *bounds = nullptr; ///< the stack's lowest address
  size_t stackBytes = 0;
  void *fakeStack = nullptr;                        ///< ASan's
  [[maybe_unused]] void *sanitizerThread = nullptr; ///< TSan's
};

} // namespace sinter::cuda::emulation
