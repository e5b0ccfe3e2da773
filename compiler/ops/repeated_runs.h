// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of tokens that must not come a second time, as generation asks for it.
#pragma once

#include "ops/lowering.h"

namespace sinter {

/// Scores [batch, vocabulary], of which those are `least` whose token, put behind ids [batch, length], would end a run
/// of `size` tokens that is there already. A token outside of the vocabulary ends the call.
mlir::FailureOr<Tensor> withoutRepeatedRuns(const Op &op, Tensor ids, Tensor scores, int64_t size, double least);

} // namespace sinter
