// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of a thread, a block or a batch as the indices that it stands for.
#pragma once

#include "codegen/text/printer.h"
#include "codegen/text/size_expr.h"

namespace sinter {

/// Prints `const int64_t i = item / (n1 * n2) % n0;` for each index and its size, the outermost first: item runs over
/// all of them, row by row.
void printSplitIndex(Printer &out, const Identifier &item, llvm::ArrayRef<std::pair<Identifier, SizeExpr>> indices);

} // namespace sinter
