// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// float32 to float16 or bfloat16 throughout, but for the model's own inputs and outputs.
#pragma once

#include "quantize/model_file.h"

namespace sinter::quantize {

struct HalfReport {
  int tensors = 0;     ///< converted
  int casts = 0;       ///< at the model's edge, and around operators that have no 16-bit form
  int64_t clipped = 0; ///< elements beyond float16's range
};

/// `type`: TensorProto::FLOAT16 or BFLOAT16. `outside`: where initializers lie that are no part of the message.
HalfReport convertToHalf(onnx::ModelProto &model, int type, OutsideWeights *outside);

} // namespace sinter::quantize
