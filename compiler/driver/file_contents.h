// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files that the driver reads and writes for its own use: what users get goes through staging.h.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace sinter {

/// The bytes of a file, none where it cannot be read.
inline std::string fileContents(const llvm::Twine &path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return file ? (*file)->getBuffer().str() : std::string();
}

/// The error says which file it is. A disk may be full as late as when the file is closed.
llvm::Error writeFile(const llvm::Twine &path, llvm::function_ref<void(llvm::raw_ostream &)> print);
llvm::Error writeFile(const llvm::Twine &path, llvm::StringRef contents);

} // namespace sinter
