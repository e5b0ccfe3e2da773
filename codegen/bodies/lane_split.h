// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows in parts: what a body compares an index with, along the dim that runs in lanes, changes at one or two places of
// a row. Between these nothing is compared in lanes, and no index is computed for it: of a triangle of a matrix each
// row is a copy and a fill, of a one-hot row a single element differs. nest_parts.cpp prints it.
#pragma once

#include "nest.h"

#include "llvm/ADT/DenseSet.h"

namespace sinter {

/// What depends on the part of a row, and is the same for all elements of it: a bit beside those of dims.
constexpr uint64_t kDependsOnPart = uint64_t(1) << 62;

/// Where a comparison changes: at the first step t with from + t >= to; behind it, with from + t > to.
struct LaneTurn {
  mlir::Value from, to;
  bool isBehind;
};

/// Where the comparison may change along dim `lane`; nothing where it does not depend on an index alone.
llvm::SmallVector<LaneTurn, 2> turnsOf(mlir::arith::CmpIOp compare, const Nest &nest, int lane, const Dims &dims);

/// The comparisons of the body that divide rows along `lane`, and the condition that selects.
LaneSplit splitAlong(const Nest &nest, int lane, const Dims &dims);

/// A body as it is within a part of a row.
struct BodyVariant {
  Dims dims;
  llvm::DenseMap<mlir::Value, mlir::Value> sameAs; ///< selects, by what their condition is, and what they give
  llvm::DenseSet<mlir::Operation *> needed;
  llvm::DenseSet<mlir::Value> arguments; ///< those that are read

  mlir::Value resolved(mlir::Value value) const;
};

/// `chosen`: what the split's condition is; nothing where it is not known.
BodyVariant variantOf(const Nest &nest, const LaneSplit &split, int lane, std::optional<bool> chosen);

/// The variants of a split: both of its condition, or one if it has none.
llvm::SmallVector<std::optional<bool>, 2> choicesOf(const LaneSplit &split);

} // namespace sinter
