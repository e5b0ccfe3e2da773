// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only picks and orders channels (dim 1): a shuffle (reshape, transpose, reshape), a slice of channels, a Gather
// with constant indices. All are y[n, c, ...] = x[n, channels[c], ...].
#pragma once

#include "interpreter/interpreter.h"
#include "ir/dialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace sinter {

struct ChannelGather {
  mlir::Value source;
  llvm::SmallVector<int64_t> channels; ///< of the source, for each channel of the result
};

/// Rank 3 or more, the number of channels known.
bool hasChannels(mlir::Value value);

/// `value` as picked channels of what the last such op reads.
std::optional<ChannelGather> channelGather(mlir::Value value, EvaluationCache &cache);

/// The place of each channel in `order`, a permutation.
llvm::SmallVector<int64_t> inverseOrder(llvm::ArrayRef<int64_t> order);
/// Numbers that count up by one.
bool isRange(llvm::ArrayRef<int64_t> channels);

/// `source` itself, a slice, or a loop nest that looks up its channel in a table.
mlir::Value gatherChannels(mlir::OpBuilder &b, mlir::Location loc, const ChannelGather &gather);

} // namespace sinter
