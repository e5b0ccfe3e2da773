// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of a file, none where it cannot be read.
#pragma once

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"
#include <string>

namespace sinter {

inline std::string fileContents(const llvm::Twine &path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return file ? (*file)->getBuffer().str() : std::string();
}

} // namespace sinter
