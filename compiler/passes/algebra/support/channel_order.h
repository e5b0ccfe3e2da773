// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Feature maps whose channels are kept in another order than the model's: what makes such a map, and what reads it, is
// rewritten. An order says for each channel of the new map which one of the old map it is.
#pragma once

#include "channel_group.h"

#include "passes/support/channel_gather.h"

namespace sinter {

/// A map that is `channels` of another one, by whatever ops, and that somebody reads who is none of these ops.
struct PickedChannels {
  mlir::Value value;
  llvm::SmallVector<int64_t> channels;
};

class ChannelOrder {
public:
  /// What is read of `map`: itself where somebody takes it as it is, and what only picks and orders its channels.
  llvm::SmallVector<PickedChannels> readingsOf(mlir::Value map);

  /// Can everybody who reads `value` itself, through no such op, have its channels in any order?
  bool isFree(mlir::Value value);
  /// Does a contraction sum over the channels of `value`, rather than somebody pass them on?
  bool isSummed(mlir::Value value);
  /// Can `value`, which is read as `isFree` says, be made in any order?
  bool isMadeFreely(mlir::Value value);

  /// `value` is `gather`'s, of which its readers take the channels in any order: they do in the source's, and `value`
  /// goes.
  void readInPlace(mlir::Value value, const ChannelGather &gather);
  /// `value` has been made in `order`; its readers go on as before.
  void reorderReaders(mlir::Value value, llvm::ArrayRef<int64_t> order);
  /// The ops that make `value` make it in `order`.
  void reorderMaker(mlir::Value value, llvm::ArrayRef<int64_t> order);

private:
  /// One of the ops that pick and order channels: its result, or null.
  mlir::Value pickedBy(mlir::OpOperand &use);
  bool canFollow(mlir::OpOperand &use);
  void follow(mlir::OpOperand &use, llvm::ArrayRef<int64_t> order);
  /// Of an op that keeps channels apart (elementwise with constants per channel, a pool, a depthwise convolution), the
  /// operand that has them; else null.
  mlir::OpOperand *keptOperand(mlir::Operation *op);
  void reorderConstants(mlir::Operation *op, llvm::ArrayRef<int64_t> order);
  bool isKnown(mlir::Value constant);
  void reorderConstant(mlir::OpOperand &operand, int64_t dim, llvm::ArrayRef<int64_t> order);
  /// Ops that only made `old` go.
  void replace(mlir::Value old, const ChannelGather &gather);

  EvaluationCache cache;
  llvm::DenseMap<mlir::Value, bool> freeValues;
};

} // namespace sinter
