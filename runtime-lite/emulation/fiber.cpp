// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The switch: on x86-64 the registers that a call preserves go to the stack and its pointer is exchanged (20 ns);
// elsewhere ucontext (ten times that, since it saves the signal mask).
#include "fiber.h"

#include <cstdlib>

#if defined(EMULATION_ASAN)
#include <sanitizer/common_interface_defs.h>
#elif defined(EMULATION_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

#if defined(__x86_64__)
extern "C" void sinterSwitchStacks(void **from, void *to);
asm(R"(
.text
.globl sinterSwitchStacks
.type sinterSwitchStacks, @function
sinterSwitchStacks:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size sinterSwitchStacks, .-sinterSwitchStacks
)");
#else
#include <ucontext.h>
#endif

namespace sinter::cuda::emulation {
namespace {

void (*entered)(); // what fibers run: all threads of a grid the same
Fiber *left;       // the one that was switched from

} // namespace

void Fiber::arrive(void *fakeStack) {
#if defined(EMULATION_ASAN)
  // The bounds of the stack that was left: how those of the thread's own become known.
  const void *bottom;
  size_t bytes;
  __sanitizer_finish_switch_fiber(fakeStack, &bottom, &bytes);
  left->bounds = bottom;
  left->stackBytes = bytes;
#else
  (void)fakeStack;
#endif
}

/// The first function on a fiber's stack.
void Fiber::enter() {
  arrive(nullptr);
  entered();
  abort();
}

/// What TSan knows this one as.
void *Fiber::toSanitizer() {
#if defined(EMULATION_TSAN)
  if (!sanitizerThread)
    sanitizerThread = __tsan_create_fiber(0);
#endif
  return sanitizerThread;
}
Fiber::Acts::Acts([[maybe_unused]] Fiber &fiber) {
#if defined(EMULATION_TSAN)
  self = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(fiber.toSanitizer(), __tsan_switch_to_fiber_no_sync);
#endif
}
Fiber::Acts::~Acts() {
#if defined(EMULATION_TSAN)
  __tsan_switch_to_fiber(self, __tsan_switch_to_fiber_no_sync);
#endif
}
void Fiber::precedes([[maybe_unused]] Fiber &other) {
  const Acts acts(*this);
#if defined(EMULATION_TSAN)
  __tsan_switch_to_fiber(other.toSanitizer(), 0);
#endif
}

Fiber::~Fiber() {
#if !defined(__x86_64__)
  delete static_cast<ucontext_t *>(context);
#endif
  std::free(stack);
#if defined(EMULATION_TSAN)
  if (sanitizerThread && !isAdopted)
    __tsan_destroy_fiber(sanitizerThread);
#endif
}

void Fiber::adopt() {
#if defined(EMULATION_TSAN)
  sanitizerThread = __tsan_get_current_fiber();
  isAdopted = true;
#endif
}

void Fiber::start(void (*body)()) {
  entered = body;
  ends = false;
  if (!stack) {
    stack = static_cast<char *>(std::aligned_alloc(64, kStackBytes));
    bounds = stack;
    stackBytes = kStackBytes;
  }
#if defined(__x86_64__)
  void **top = reinterpret_cast<void **>(stack + kStackBytes) - 2; // as a call leaves it: 8 below a multiple of 16
  *top = reinterpret_cast<void *>(enter);
  context = top - 6;
#else
  if (!context)
    context = new ucontext_t;
  ucontext_t &registers = *static_cast<ucontext_t *>(context);
  getcontext(&registers);
  registers.uc_stack.ss_sp = stack;
  registers.uc_stack.ss_size = kStackBytes;
  registers.uc_link = nullptr;
  makecontext(&registers, enter, 0);
#endif
}

void Fiber::switchTo(Fiber &next) {
  left = this;
#if defined(EMULATION_ASAN)
  __sanitizer_start_switch_fiber(ends ? nullptr : &fakeStack, next.bounds, next.stackBytes);
#elif defined(EMULATION_TSAN)
  __tsan_switch_to_fiber(next.toSanitizer(), __tsan_switch_to_fiber_no_sync);
#endif
#if defined(__x86_64__)
  sinterSwitchStacks(&context, next.context);
#else
  if (!context)
    context = new ucontext_t;
  swapcontext(static_cast<ucontext_t *>(context), static_cast<ucontext_t *>(next.context));
#endif
  arrive(fakeStack);
}

} // namespace sinter::cuda::emulation
