// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model that is to be written again, not compiled: dims may be open, operators unknown, and large weights stay in the
// files that they lie in.
#pragma once

#include "quantize/model_file.h"

namespace sinter {

/// Where the files beside a model lie.
std::string folderOf(llvm::StringRef path);

std::optional<quantize::Model> readStandardModel(ImportOptions options, llvm::StringRef path, Diagnostics &diagnostics);

} // namespace sinter
