// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every pass of the compiler is one free function on a module (or function); the order they run in is pipeline.cpp's.
#pragma once

namespace sinter {
/// Makes each pass known by name: `sinter-opt --<name>`.
void registerPasses();
} // namespace sinter
