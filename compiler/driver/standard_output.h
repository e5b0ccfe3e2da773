// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Standard output, which a file of output may have for itself (-o -, --html /dev/stdout): what people read goes to
// standard error then.
#pragma once

#include "driver/verbs.h"

#include "llvm/ADT/StringRef.h"

namespace sinter {

/// "-", or a path of what standard output is.
bool isStandardOutput(llvm::StringRef path);
/// Where it is standard output that the path names, outs() prints to standard error from here on.
void keepStandardOutputFor(llvm::StringRef path);
/// Whether a file has it.
bool isStandardOutputKept();
/// A descriptor of it, kept or not.
int standardOutput();
/// Writes what is left of outs(). Text that cannot be written, as on a full disk, is an error, which is said.
int finishStandardOutput(int status);

} // namespace sinter
