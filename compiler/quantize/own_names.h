// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One name, one value: branches that lie side by side may name values of their own alike, which rewrites that know
// values by name must not confuse.
#pragma once

#include "onnx-ml.pb.h"

namespace sinter::quantize {

/// Renames values of subgraphs whose name another graph of the model has too.
void giveOwnNames(onnx::ModelProto &model);

} // namespace sinter::quantize
