// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What shares channels with a contraction's output: the elementwise ops, depthwise convolutions and pools behind it,
// which keep channels apart, the contractions that sum over them, and other contractions whose outputs meet there
// (residuals). A channel can go only from all of them at once.
#pragma once

#include "interpreter/interpreter.h"
#include "ir/dialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace sinter {

/// A constant operand of a contraction: its filter, or right-hand side.
struct ContractionWeights {
  mlir::OpOperand *operand;
  int64_t outDim, inDim; ///< the contraction's channels in the weights
};
/// Nullopt unless the contraction has one group (or a channel per group: inDim is -1), plain layouts, a constant filter
/// and an epilogue that changes nothing.
std::optional<ContractionWeights> plainWeights(mlir::Operation *contraction, EvaluationCache &cache);
/// Is it a convolution of several channels with one filter for each, unpacked?
bool isDepthwise(mlir::Operation *contraction);

/// Does it make one tensor, and write all of it?
bool isEmptyInit(mlir::Operation *op);

class ChannelGroup {
public:
  int64_t channels = 0;
  llvm::SmallVector<mlir::Operation *> makers;     ///< contractions whose output channels these are
  llvm::SmallVector<mlir::Operation *> carriers;   ///< in the order of their block
  llvm::SmallVector<mlir::OpOperand *> readers;    ///< inputs of contractions that sum over them
  llvm::DenseMap<mlir::Value, int64_t> channelDim; ///< of each value with these channels

  /// The group of `maker`'s output; nullopt where something that is none of the three has a part in it, or the sizes
  /// are not static. `refused` has the ops of what was none and takes those of this one: whoever shares channels with
  /// one of them is in no group either, so that looking for all groups takes time in proportion to the ops.
  static std::optional<ChannelGroup> of(mlir::Operation *maker, EvaluationCache &cache,
                                        llvm::DenseSet<mlir::Operation *> &refused);

private:
  explicit ChannelGroup(const llvm::DenseSet<mlir::Operation *> &refused) : refused(&refused) {}

  /// Everything that uses `value`, and what it meets there.
  bool addUsers(mlir::Value value, EvaluationCache &cache);
  bool addMaker(mlir::Value value, int64_t dim, EvaluationCache &cache);
  bool addValue(mlir::Value value, int64_t dim);
  bool addCarrier(mlir::OpOperand &use, EvaluationCache &cache);
  bool addGeneric(mlir::linalg::GenericOp op, int64_t dim, EvaluationCache &cache);

  const llvm::DenseSet<mlir::Operation *> *refused;
  llvm::SmallVector<mlir::Value> pending;
  llvm::DenseSet<mlir::Operation *> seen;
};

} // namespace sinter
