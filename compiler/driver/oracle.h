// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reference outputs from onnxruntime, through an embedded Python script (script.h).
#pragma once

#include "driver/model_program.h"

#include <optional>

namespace sinter {

/// onnxruntime's outputs for each data set; state goes on from one to the next. `folder`: a temporary one.
llvm::Expected<std::vector<std::vector<HostArray>>> referenceOutputs(llvm::StringRef model, const ModelInfo &info,
                                                                     llvm::ArrayRef<std::vector<HostArray>> dataSets,
                                                                     llvm::StringRef folder);

/// What onnxruntime makes of values inside the model on one data set; nullopt for those it does not know.
llvm::Expected<std::vector<std::optional<HostArray>>> referenceValues(llvm::StringRef model, const ModelInfo &info,
                                                                      const std::vector<HostArray> &inputs,
                                                                      llvm::ArrayRef<std::string> names,
                                                                      llvm::StringRef folder);

} // namespace sinter
