// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which sinter this is, for --version and for what generated code says of its origin.
#pragma once

#include <string>

namespace sinter {
/// "0.1.0"
const char *version();
/// "sinter 0.1.0 (LLVM 19.1.7)"
std::string versionText();
} // namespace sinter
