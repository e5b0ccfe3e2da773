// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph at the sizes of one call, with all that onnxruntime makes in that call: what bisection gives its parts.
#pragma once

#include "driver/bisect.h"

namespace sinter {

struct RecordedGraph {
  onnx::ModelProto model;
  ModelValues values;
};

/// The model's values when it is given `inputs`: those, and all that onnxruntime makes of them. `path`: its file.
/// `expected`: outputs that somebody recorded, where they have a type.
llvm::Expected<RecordedGraph> recordValues(const onnx::ModelProto &model, llvm::StringRef path, const ModelInfo &info,
                                           llvm::ArrayRef<HostArray> inputs, const CompileJob &job,
                                           llvm::ArrayRef<HostArray> expected);

/// Of that array, or of one whose sizes are not known.
onnx::TypeProto recordedType(const HostArray &array, bool hasSizes = true);

} // namespace sinter
