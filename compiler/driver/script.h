// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded Python scripts (oracle/): reference data and the times of others. Python is only ever an oracle: nothing
// else of sinter needs it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace sinter {

/// Runs a script, written into `folder`, with the Python that SINTER_PYTHON names, else python3. The error begins with
/// `failed` and ends with the last line that the script printed.
llvm::Error runScript(llvm::StringRef name, llvm::ArrayRef<std::string> arguments, llvm::StringRef folder,
                      llvm::StringRef failed, unsigned timeout = 0);

} // namespace sinter
