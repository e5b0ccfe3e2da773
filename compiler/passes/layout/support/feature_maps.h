// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which feature maps share a layout, and which: those that elementwise ops, pools, depthwise convolutions and the like
// tie together get one block size, the vector width, or all channels where somebody reads or makes them channels-last
// (LayerNorm, detection heads): that is the same memory. Maps of integer convolutions always have all channels in a
// block.
#pragma once

#include "ir/dialect.h"
#include "target/target.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace sinter {

class FeatureMaps {
public:
  FeatureMaps(mlir::ModuleOp module, const Target &target);

  /// Channels per block that suit `map` (channels in dim 1, their number known) and all that is tied to it.
  int64_t blockOf(mlir::Value map) const;
  /// Does a convolution with kernels for blocks (takesBlocks) read or make `map`, or what is tied to it?
  bool isConvolved(mlir::Value map) const { return convolved.contains(leaderOf(map)); }

private:
  void add(mlir::Operation *op);
  void addLoopNest(mlir::linalg::GenericOp op);
  void tie(mlir::Value a, mlir::Value b);
  void *leaderOf(mlir::Value map) const;

  const Target &target;
  llvm::EquivalenceClasses<void *> ties;
  llvm::SmallVector<mlir::Value> tied;
  llvm::SmallVector<mlir::Value> lastWanted; ///< maps that somebody reads or makes channels-last
  llvm::SmallVector<mlir::Value> split;      ///< maps joined from or cut into parts with fewer channels
  llvm::SmallVector<mlir::Value> ofConvolutions, ofIntegers;
  llvm::DenseSet<void *> channelsLast, convolved; ///< leaders
};

/// Integers of up to 16 bits?
bool hasNarrowIntegers(mlir::Value map);
/// Are there kernels for blocks of channels? On a GPU, where a block is all of them, also of any groups. Asked before
/// epilogues are fused.
bool takesBlocks(ConvOp conv, const Target &target);
/// If `transpose` brings the channel (dim 1) of a feature map to the end, the map; spatial dims may have been collapsed
/// on the way.
mlir::Value mapMadeChannelsLast(mlir::linalg::TransposeOp transpose);
/// If `map` is a channels-last tensor with its channel brought to dim 1: that tensor, [n, ..., c]. Spatial dims may
/// have been expanded since.
mlir::Value channelsLastSource(mlir::Value map);

} // namespace sinter
