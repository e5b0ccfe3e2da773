// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stack that generated code needs at most, from who calls whom: what GCC writes with -fcallgraph-info=su.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace sinter {

/// Bytes of the longest chain of calls. Functions of the compiler's library and the four mem functions count for
/// `libraryFrame` each; functions of the caller's (trace, threads) for nothing. Nothing where a frame has no bound or a
/// function calls itself.
std::optional<int64_t> deepestCalls(llvm::StringRef callGraph);

/// More than any of them needs: a division of 64-bit integers and arithmetic of doubles without an FPU push at most
/// half.
constexpr int64_t libraryFrame = 96;

} // namespace sinter
