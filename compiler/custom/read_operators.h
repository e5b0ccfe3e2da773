// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The description of custom operators, a YAML file, and all that can be wrong with it on its own.
#pragma once

#include "custom/custom_operator.h"

#include "llvm/Support/Error.h"

namespace sinter {

/// The error begins with the path, and names the line where there is one.
llvm::Expected<std::vector<CustomOperator>> readCustomOperators(llvm::StringRef path);

/// The same of text; `folder`: where the files that it names lie.
llvm::Expected<std::vector<CustomOperator>> readCustomOperators(llvm::StringRef text, llvm::StringRef name,
                                                                llvm::StringRef folder);

} // namespace sinter
