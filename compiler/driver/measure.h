// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only a C++ compiler knows of a model, for the report of a library: size of the code, bound of the stack.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace sinter {

class Staging;

struct Measured {
  int64_t codeBytes = 0;
  std::optional<int64_t> stackBytes; ///< nothing where a frame has no bound
};

/// Of objects compiled with -fstack-usage.
Measured measure(llvm::ArrayRef<std::string> objects);
/// Bytes of the stack that a call needs at most, from the compiler's list of frames (.su). Kernels do not call each
/// other and nothing calls itself: the frames of all that is no kernel, and those of the deepest kernel.
std::optional<int64_t> stackBound(llvm::StringRef frames);
/// Puts the numbers into the reports where these say "not measured".
void writeMeasured(const Staging &staging, llvm::StringRef prefix, const Measured &measured, llvm::StringRef compiler);

} // namespace sinter
