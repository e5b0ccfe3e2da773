// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves an unpack of the blocked layout from a loop nest's operands to its result.
#pragma once

namespace mlir {
class RewritePatternSet;
}

namespace sinter {
struct Target;
void addRelayoutGenericPatterns(mlir::RewritePatternSet &patterns);
/// Of nests that pick channels by a table.
void addRelayoutGatherPatterns(mlir::RewritePatternSet &patterns, const Target &target);
} // namespace sinter
