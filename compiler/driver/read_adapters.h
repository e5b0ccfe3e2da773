// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --adapter names: values for inputs go to the importer, what belongs to weights stays with the job.
#pragma once

#include "driver/compile_model.h"

namespace sinter {

/// The names of those that are switched where the model runs.
std::vector<std::string> switchedAdapters(llvm::ArrayRef<std::string> paths);

/// `read`: the files.
ExitStatus readAdapters(CompileJob &job, Diagnostics &diagnostics, std::vector<std::string> &read);

} // namespace sinter
