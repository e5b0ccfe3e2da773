// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter bench --machine FILE without a model: measures the machine, prints a table, writes the file.
#pragma once

#include "driver/compile_flags.h"

namespace sinter {

/// `processor`: what the machine calls itself. `file`: "-" for none.
int benchMachine(const CompileFlags &flags, llvm::StringRef processor, bool asJson);

} // namespace sinter
