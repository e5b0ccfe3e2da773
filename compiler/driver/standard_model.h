// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model that is to be written again, not compiled: dims may be open, operators unknown.
#pragma once

#include "quantize/model_file.h"

namespace sinter {

std::optional<quantize::Model> readStandardModel(ImportOptions options, llvm::StringRef path, Diagnostics &diagnostics);

} // namespace sinter
