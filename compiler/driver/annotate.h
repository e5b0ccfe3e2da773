// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a report says of nodes, in the nodes' metadata, where viewers of models show it.
#pragma once

#include "onnx-ml.pb.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace sinter {

/// `report`: a library's (docs/output-format.md), or what bench answers under --json. How many nodes have a kernel.
llvm::Expected<int64_t> annotate(onnx::ModelProto &model, const llvm::json::Value &report);

} // namespace sinter
