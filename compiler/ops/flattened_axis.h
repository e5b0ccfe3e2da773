// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The axis of Softmax, LogSoftmax and Hardmax over the versions: one dim since 13; before, all dims from `axis` on as
// one.
#pragma once

#include "lowering.h"

namespace sinter {

struct FlattenedAxis {
  Tensor x; ///< operand 0, or its [outer, inner] view
  int64_t axis;
};

mlir::FailureOr<FlattenedAxis> flattenedAxis(Op &op);

} // namespace sinter
