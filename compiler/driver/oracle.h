// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reference outputs from onnxruntime, through an embedded Python script. Python is only ever an oracle: nothing else of sinter needs it.
#pragma once

#include "driver/model_program.h"

namespace sinter {

/// The Python that SINTER_PYTHON names, else python3.
llvm::Expected<std::string> findPython();

/// onnxruntime's outputs for each data set; state goes on from one to the next. `folder`: a temporary one.
llvm::Expected<std::vector<std::vector<HostArray>>> referenceOutputs(llvm::StringRef model, const ModelInfo &info,
                                                                     llvm::ArrayRef<std::vector<HostArray>> dataSets,
                                                                     llvm::StringRef folder);

/// Writes an embedded script into a folder; returns its path.
llvm::Expected<std::string> writeScript(llvm::StringRef name, llvm::StringRef folder);

} // namespace sinter
