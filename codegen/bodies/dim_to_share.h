// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Along which dim threads share the work of a loop nest or of a kernel.
#pragma once

#include "codegen/text/size_expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace sinter {

/// The first of the dims with these sizes along which shares of `threads` are nearly alike, else the one where they are
/// most alike: three rows are two and one for two threads, which are busy three quarters of the time. Nothing where all
/// would be one thread's. `isFree`: whether a dim may be cut.
std::optional<unsigned> dimToShare(llvm::ArrayRef<SizeExpr> sizes, int64_t threads,
                                   llvm::function_ref<bool(unsigned)> isFree);

} // namespace sinter
