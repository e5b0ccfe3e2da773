// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What helps to build the output: a CMake file that declares it as a library.
#pragma once

#include "abi_header.h"

namespace sinter {
std::string printCMake(const Interface &interface, const ModelNames &names, const CodegenOptions &options);
} // namespace sinter
