// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one hook for timing kernels and comparing layers: nothing but a test of a pointer when it is off.
#pragma once

#include "runtime-lite/compiler.h"
#include "runtime-lite/types.h"

namespace sinter {
namespace {

/// Call number `kernel` has just written `outputs`.
template <class... T>
[[maybe_unused]] static inline void traced(const sinter_trace *trace, int kernel, T *...outputs) {
  if (!trace || !trace->kernel)
    return;
  const void *const all[] = {static_cast<const void *>(outputs)...};
  trace->kernel(trace->ctx, kernel, all, int(sizeof...(outputs)));
}

/// The same by a call, where there are many: their one test in place is what clang takes time over that grows with the
/// square of its number.
template <class... T>
[[maybe_unused]] SINTER_NOINLINE static void tracedApart(const sinter_trace *trace, int kernel, T *...outputs) {
  traced(trace, kernel, outputs...);
}

/// Whether a pointer is a multiple of `align`.
[[maybe_unused]] static inline bool isAligned(const void *pointer, size_t align) {
  return reinterpret_cast<uintptr_t>(pointer) % align == 0;
}

} // namespace
} // namespace sinter
