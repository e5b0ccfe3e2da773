// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A C++ compiler or linker that did not do its work, as users are told it: the generated code is at fault, unless the
// machine ran out of something.
#pragma once

#include "driver/verbs.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace sinter {

/// Prints `headline`, which may be empty, what the tool said, and `hint`. Returns what to end with: `status`, or that
/// of a machine without room, of which message and hint speak then.
ExitStatus tellBuildFailure(llvm::Error error, llvm::StringRef headline, llvm::StringRef hint,
                            ExitStatus status = ExitInternal);

} // namespace sinter
