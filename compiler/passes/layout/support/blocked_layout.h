// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocked layout of feature maps: dim `axis` (the channel) is split, its block of `block` elements innermost: [n,
// c, h, w] becomes [n, c/b, h, w, b]. A block of all channels is NHWC. In the IR: tensor.pack and tensor.unpack with
// one inner dim; the block divides the channel count, so that no element is padding.
#pragma once

#include "ir/dialect.h"
#include "target/target.h"

namespace sinter {

/// Channels per block for a dim of `channels`: the vector width where it divides them, else all of them.
int64_t channelBlock(const Target &target, int64_t channels);

/// Output channel c reads input channel c alone: of one channel, too, which is no depthwise convolution.
bool hasFilterPerChannel(ConvOp conv);

/// Groups of as many filters as channels or a few times as many, several of which a vector holds, of one channel too:
/// templates/panels/depthwise.h takes them.
bool isInSmallGroups(ConvOp conv, const Target &target);
/// Groups whose filters fill a good part of vectors: each is a convolution of its own (templates/panels/conv.h).
bool isInLargeGroups(ConvOp conv, const Target &target);

/// So few channels and filters that vectors along the rows of plain maps are fuller than vectors of either
/// (templates/direct/conv_rows.h).
bool suitsRows(ConvOp conv, const Target &target);

/// Is `map` what the model is given, or made of it element by element? Then no layout of its maker is lost.
bool comesPlain(mlir::Value map);
/// Channels below this are read in the plain layout by the first convolution.
constexpr int64_t fewChannels = 8;
/// Single taps over a map that comes plain, whose filters would leave much of the vectors of panels empty: planes are
/// rows (convPoints of templates/direct/conv_rows.h). `leavesVectorsEmpty`: whether filters of a group do.
bool suitsPoints(ConvOp conv, const Target &target);
bool leavesVectorsEmpty(ConvOp conv, const Target &target);

struct BlockedLayout {
  int64_t axis, block;
  bool operator==(const BlockedLayout &other) const { return axis == other.axis && block == other.block; }
};

/// The layout that `unpack` reads, if it has this form.
std::optional<BlockedLayout> layoutOf(mlir::tensor::UnPackOp unpack);
/// If `plain` is an unpacked feature map: the packed tensor and its layout.
std::optional<std::pair<mlir::Value, BlockedLayout>> packedSource(mlir::Value plain);

/// [n, c, h, w] -> [n, c/b, h, w, b].
mlir::RankedTensorType packedType(mlir::RankedTensorType plain, BlockedLayout layout);
/// The packed form of `plain`: what it was unpacked from, else a tensor.pack.
mlir::Value packed(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value plain, BlockedLayout layout);
/// An empty tensor in packed form with the sizes of `plain`.
mlir::Value emptyPacked(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value plain, BlockedLayout layout);
/// The plain form of `packed`, which stands for it from now on; what makes `packed` was the maker of the plain one.
mlir::Value unpacked(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value packed, mlir::Value plainInit,
                     BlockedLayout layout);

} // namespace sinter
