// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of output, all of them or none.
#pragma once

#include "diagnostics/diagnostics.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>

namespace sinter {

/// Reports an output that is the input itself, under whichever name.
bool writesOverInput(llvm::StringRef output, llvm::StringRef input, Diagnostics &diagnostics);

struct OutputFile {
  llvm::StringRef path, bytes;
  uint64_t size = bytes.size();
  std::function<void(llvm::raw_ostream &)> write = {}; ///< in place of `bytes`: what is too much for memory
};
/// Nothing is in place before everything is written.
llvm::Error writeOutputs(llvm::ArrayRef<OutputFile> files);

} // namespace sinter
