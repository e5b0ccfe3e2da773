// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number of elements as whole units, for templates and for the compiler, which reserves what they work in.
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter {
namespace {

/// The least multiple of `unit` that is at least n.
SINTER_INLINE constexpr int64_t roundedUp(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

} // namespace
} // namespace sinter
