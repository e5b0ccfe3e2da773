// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors whose rank only a call knows: what an If gives whose branches end in different ranks, or what a loop carries
// that gains a dim. The call has one of several tensors, each of a known rank, and a flag says which; nodes that read
// it are lowered for each (cases.cpp), until ranks agree again.
#pragma once

#include "conversion.h"
#include "lowering.h"

namespace sinter {

/// Each of the two may be a choice again. Ranks differ, or both are short lists of integers and their lengths do.
struct Choice {
  Tensor isFirst; ///< bool, one element
  Converted first, second;
};

/// One tensor, or the choice between them that the flags make, one after the other.
Converted choiceOf(llvm::ArrayRef<Tensor> flags, llvm::ArrayRef<Tensor> tensors);

/// Whether a tensor, or the one that is chosen, has that rank (an i1); and the tensor of that rank, null where there is
/// none.
mlir::Value hasRank(const Tensors &t, const Converted &value, int64_t rank);
Tensor ofRank(const Tensors &t, const Converted &value, int64_t rank);

/// Where the graph leaves the rank of an output open, that which the model declares is the interface, and each call
/// tests it: `given` becomes that tensor. `what`: "output 'y'". What is wrong, or nothing.
std::optional<Problem> takeDeclaredRank(const Tensors &t, const std::string &what, mlir::RankedTensorType declared,
                                        Converted &given);

} // namespace sinter
