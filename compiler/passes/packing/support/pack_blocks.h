// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights of 2, 4 or 8 bits that share scales in blocks stay packed in memory, in the order of
// templates/blocks/block_weights.h: products of few rows are bound by reading them.
#pragma once

#include "interpreter/interpreter.h"
#include "ir/dialect.h"

namespace sinter {

/// False, and nothing has changed, where the right-hand side is no such constant or its blocks are no whole groups.
bool packBlocks(MatmulOp matmul, int64_t columns, EvaluationCache &cache);

} // namespace sinter
