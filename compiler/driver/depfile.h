// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dependency files for build systems: the output depends on the model, its external data and this compiler.
#pragma once

#include "driver/compile_model.h"

#include "llvm/Support/Error.h"

namespace sinter {

/// The files that the output was made of, besides the compiler: the model, its external data, both of programs
/// before a decoder, descriptions of custom operators and their headers.
std::vector<std::string> dependenciesOf(const CompileJob &job, const CompiledModel &compiled);

/// A rule for `made`, the file that build systems know the output by.
llvm::Error writeDepfile(llvm::StringRef path, llvm::StringRef made, const CompileJob &job,
                         const CompiledModel &compiled);

/// A path as make's rules have it.
std::string makeEscaped(llvm::StringRef path);

} // namespace sinter
