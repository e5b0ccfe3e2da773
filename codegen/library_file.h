// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's text as a header beside the sources (--library-text header): all of it that a target can use, whatever
// the model is, so that the sources of many nets in one folder have it once.
#pragma once

#include "codegen/codegen.h"

#include <set>

namespace sinter {

/// `sinter_kernels_<hash>.h`: named by what is in it, so that other versions and targets go beside it. Gives the
/// name of a part that does not exist in `missing`.
mlir::FailureOr<GeneratedFile> libraryFile(const CodegenOptions &options, std::string &missing);

/// The text of some headers and what they include, for sources that include <prefix>.h before it.
mlir::FailureOr<std::string> libraryText(const std::set<std::string> &headers, const CodegenOptions &options,
                                         std::string &missing);

/// Whether a generated file is one.
bool isLibraryFile(llvm::StringRef name);

} // namespace sinter
