// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies of If, Loop and Scan are simplified as models of their own, the innermost first.
#pragma once

#include "simplify/simplify.h"

namespace sinter::simplify {

/// Of a model whose values have their shapes stated. How many nodes went; `result` counts what the steps did.
int64_t simplifySubgraphs(onnx::ModelProto &model, const LearnOptions &learning, const SimplifyOptions &options,
                          SimplifyResult &result);

} // namespace sinter::simplify
