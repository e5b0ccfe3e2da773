// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the CPU that we run on is called.
#pragma once

#include <string>

namespace sinter {

/// "AMD EPYC 9654 (znver4)", as far as this system tells.
std::string processorName();

} // namespace sinter
