// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions that select: the best element so far and the index where it stands (ArgMax, ArgMin). Parts of the dim may
// be folded apart, if what each has found is then looked at in the parts' order.
#pragma once

#include "nest.h"

namespace sinter {

/// Whether the nest's only reduction is such a fold: of its two outputs the second is the index of the element that the
/// first is.
bool isSelectionFold(const Nest &nest);

/// The parts of such a fold.
struct SelectionFold {
  mlir::BlockArgument best, place;                ///< what was found so far
  mlir::Value element;                            ///< what may take the place of the best
  mlir::Value isBetter;                           ///< whether it does: made of comparisons of the two
  llvm::SmallVector<mlir::Operation *> comparing; ///< the operations that make `isBetter`
  llvm::SmallVector<mlir::Operation *> placing;   ///< those that are about places, and the choices of both results
};
SelectionFold selectionFoldOf(const Nest &nest);

} // namespace sinter
