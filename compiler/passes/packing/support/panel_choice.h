// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernel constant operands of floats are packed for, and how wide their panels are: asked by pack-weights, which
// packs (../pack_weights.cpp).
#pragma once

#include "ir/dialect.h"
#include "target/target.h"

namespace sinter {

/// Whether an instruction of the target multiplies small matrices of what the product's operands are.
bool isForSquares(MatmulOp matmul, const Target &target);

/// From how many rows on the product is made of terms in tile registers, 0 where it has as many; nothing where it has
/// fewer, or never is.
std::optional<int64_t> leastRowsOfTerms(MatmulOp matmul, const Target &target, int64_t width);

/// Whether a convolution is made of terms in tile registers, of panels that wide.
bool isFasterByTerms(ConvOp conv, const Target &target, int64_t width);

/// Few filters per group would leave most of a panel empty: on plain channels with rows to fill,
/// templates/direct/conv_rows.h reads the filter as it is.
bool fitsRows(ConvOp conv, const Target &target, int64_t columns);

/// The panels' width for n columns: the target's, or one vector where the target's would be filled up with many more
/// zeros, of that a half or a quarter where n is as small.
int64_t panelColumns(int64_t n, int64_t columns);

/// The same for single taps: of sixteen registers, tiles of one vector read an element for each multiplication, which
/// takes 1.4 times as long as it does in those of two or three.
int64_t panelColumnsOfTaps(int64_t n, int64_t columns, const Target &target);

/// Whether columns are so few, and products of each so many, that lanes are better filled along k than along columns.
/// `width`: of the panel that would take the columns.
bool suitsDots(MatmulOp matmul, const Target &target, int64_t columns, int64_t width);

/// The panels' widths that may serve n columns as well as `usual`, which is the first: those that few zeros fill up,
/// and whose tiles have rows enough to use a row of B more than once or twice.
std::vector<std::string> panelOptions(const Target &target, int64_t n, int64_t usual);

/// How many channels a vector takes where they run in lanes, since a convolution has too few filters for these; nothing
/// where filters fill them better.
std::optional<int64_t> lanesOfDots(ConvOp conv, const Target &target);

} // namespace sinter
