// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two paths of which a call takes one, as scf.if: for If (onnx/if.cpp), and for nodes that read what has one of several
// ranks (cases.cpp). What they make meets in one form.
#pragma once

#include "forms.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace sinter {

using Path = llvm::function_ref<mlir::FailureOr<llvm::SmallVector<Converted>>(mlir::OpBuilder &)>;

/// What the path makes that `condition` (bool, one element) chooses, as the given outputs of the node. A path whose
/// shapes contradict each other is one that no call takes: it ends with status 4.
mlir::FailureOr<llvm::SmallVector<Converted>> choose(const Op &op, Tensor condition, Path onTrue, Path onFalse,
                                                     llvm::ArrayRef<unsigned> outputs);

} // namespace sinter
