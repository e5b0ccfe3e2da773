// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which convolutions of floats are computed by Winograd's products, templates/panels/conv_winograd.h, and which stay
// direct ones, templates/panels/conv.h. Sums differ in their last bits, so this must not depend on what a user wishes,
// only on the convolution and the target.
#pragma once

#include "ir/dialect.h"
#include "target/target.h"
#include "target/wishes.h"
#include "templates/panels/winograd_taps.h"

namespace sinter {

/// Of a convolution of one or two dims; of one, y has one tap.
struct WinogradTiling {
  WinogradTaps y{1}, x{1};
  int64_t dilationY = 1, dilationX = 1; ///< 1 where there is one tap
  /// Rows of the first dim, `dims` in all, that are made together.
  int64_t rowsTogether(size_t dims) const { return dims == 1 ? x.outputs() * dilationX : y.outputs() * dilationY; }
};
/// That of a convolution; one not packed yet has two outputs a dim.
WinogradTiling winogradTilingOf(ConvOp conv);

/// Most tiles of a block: so many that they fill the register tile a few times, and few enough that what they are made
/// in takes at most a quarter of the maps' memory, or of the weights', which are read anew for each block; but never so
/// few, nor with Fit::Ram more, than keep the multipliers busy. Precondition: winogradCycles gives something.
int winogradTilesOf(ConvOp conv, const WinogradTiling &tiling, const Target &target, Fit fit, int64_t columns);

/// Cycles of a convolution whose filter is packed in panels of `columns`; nothing where the kernel cannot compute it:
/// maps of one or two dims in channel blocks of whole vectors or of all channels, up to 15 taps a dim, strides of 1,
/// floats in and out, or halfs. Sizes that are not known count as large.
std::optional<double> winogradCycles(ConvOp conv, const WinogradTiling &tiling, const Target &target, int64_t columns);

/// The tiling that takes fewest cycles, if these are fewer than the direct kernel takes, by a margin that estimates
/// need. Columns of a map of two dims may be made by fours; the one dim of others, which row tiles cut, and rows are
/// made by twos, as are columns of two taps or of windows of many, whose errors would be too large. Precondition: the
/// filter is not packed yet.
std::optional<WinogradTiling> winogradFor(ConvOp conv, const Target &target, int64_t columns);

} // namespace sinter
