// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators of com.microsoft whose maps have channels in the last dim: said by the operator with channels first,
// between transposes, which layout passes then move through the net.
#pragma once

#include "lowering.h"

namespace sinter {

/// The operands `maps` (feature maps, or a filter that counts as one of M maps) and all results have channels last
/// (unless the node's channels_last is 0): lowers `opType` of `domain` with the node's other operands and attributes
/// (but channels_last) on maps with channels first.
mlir::LogicalResult lowerChannelsLast(Op &op, llvm::ArrayRef<unsigned> maps, llvm::StringRef opType, int64_t since,
                                      llvm::StringRef domain = "");

} // namespace sinter
