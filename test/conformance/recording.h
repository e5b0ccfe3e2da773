// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recordings that are themselves off. A recording was computed in the model's own types, so it holds their roundings:
// where an output differs from it, an evaluation in float64 (driver/oracle.h) says which of the two is the nearer.
#pragma once

#include "case.h"

#include "driver/model_program.h"

namespace sinter::conformance {

/// Whether each number that is not close to the recording is within the case's tolerance of float64, and nearer to it
/// than what was recorded. `why`: the evidence, or why there is none.
bool isRecordingOff(const HostArray &actual, const HostArray &recorded, const HostArray &exact, const Case &one,
                    std::string &why);

/// The same of all outputs of a model on a data set. `folder`: a temporary one.
bool isRecordingOff(llvm::StringRef model, const ModelInfo &info, const std::vector<HostArray> &inputs,
                    llvm::ArrayRef<HostArray> actual, llvm::ArrayRef<HostArray> recorded, const Case &one,
                    llvm::StringRef folder, std::string &why);

/// As onnx.backend.test.runner compares; two units in the last place for bfloat16.
double relativeTolerance(const Case &one, ElementType type);

} // namespace sinter::conformance
