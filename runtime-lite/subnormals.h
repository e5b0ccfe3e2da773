// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats below 2^-126 that count as zeros, in arithmetic, for as long as a scope lasts. Processors of the x86 family
// take some hundred cycles for each operation on such a number: a pruned net, or a recurrent one after silence, would
// be a hundred times slower for what cannot be seen in a sum. Other processors have no such cost and go on as they are.
// Source: Intel SDM, volume 1, 10.2.3.4 (denormals are zeros) and 11.5 (flush to zero).
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter {
namespace {

#if defined(__SSE__) && defined(SINTER_IS_GNU)
/// How the thread computes: what it rounds to, what it takes for zero.
[[maybe_unused]] static inline unsigned arithmeticMode() { return __builtin_ia32_stmxcsr(); }
/// The same with subnormal operands and results as zeros.
[[maybe_unused]] static inline unsigned withSubnormalsAsZero(unsigned mode) { return mode | 0x8040u; }

/// The thread computes in a mode until the end of the scope.
class ModeScope {
public:
  explicit ModeScope(unsigned mode) : before(arithmeticMode()) { __builtin_ia32_ldmxcsr(mode); }
  ~ModeScope() { __builtin_ia32_ldmxcsr(before); }
  ModeScope(const ModeScope &) = delete;
  ModeScope &operator=(const ModeScope &) = delete;

private:
  unsigned before;
};
#else
[[maybe_unused]] static inline unsigned arithmeticMode() { return 0; }
[[maybe_unused]] static inline unsigned withSubnormalsAsZero(unsigned mode) { return mode; }

class ModeScope {
public:
  explicit ModeScope(unsigned) {}
  ~ModeScope() {} // so that no compiler calls one unused
};
#endif

/// Subnormal numbers count as zeros until the end of the scope.
class SubnormalsAsZero {
public:
  SubnormalsAsZero() : scope(withSubnormalsAsZero(arithmeticMode())) {}

private:
  ModeScope scope;
};

} // namespace
} // namespace sinter
