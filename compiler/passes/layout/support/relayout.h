// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves an unpack of the blocked layout from a loop nest's operands to its result.
#pragma once

namespace mlir {
class RewritePatternSet;
}

namespace sinter {
void addRelayoutGenericPatterns(mlir::RewritePatternSet &patterns);
}
