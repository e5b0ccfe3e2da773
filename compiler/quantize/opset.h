// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Raising a model's opset: QuantizeLinear per channel came with 13, blocks with 21.
#pragma once

#include "quantize/model_file.h"

namespace sinter::quantize {

/// Rewrites the nodes of all graphs for `opset`, if the model's is lower. False after a report.
bool raiseOpset(onnx::ModelProto &model, int64_t opset, Diagnostics &diagnostics);

} // namespace sinter::quantize
