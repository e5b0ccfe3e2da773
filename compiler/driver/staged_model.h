// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model that was made of another one to be compiled and run, not to be kept. It may have more weights than one file
// of protobuf: those of the message go to a file beside it, and those that lie in files stay there.
#pragma once

#include "driver/compile_model.h"

#include "onnx-ml.pb.h"

namespace sinter {

/// Writes `model`, made of the one at `path`, to `folder`, and sets `job` to compile it.
llvm::Error stageModel(onnx::ModelProto model, llvm::StringRef path, const Staging &folder, CompileJob &job);

} // namespace sinter
