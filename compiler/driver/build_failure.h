// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A C++ compiler or linker that did not do its work, as users are told it: the generated code is at fault, unless the
// machine ran out of something.
#pragma once

#include "driver/verbs.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace sinter {

/// Prints `headline`, which may be empty, what the tool said, and `hint`; the status to end with. Of a machine without
/// room the message and the hint speak of that.
ExitStatus tellBuildFailure(llvm::Error error, llvm::StringRef headline, llvm::StringRef hint);

} // namespace sinter
