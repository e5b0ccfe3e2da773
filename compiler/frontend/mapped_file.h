// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of mapped files counts as ours while it is resident: a pass over a large model gives it back as it goes.
#pragma once

#include "llvm/Support/MemoryBuffer.h"

#include <string>

namespace sinter {

/// Gives the pages of a mapped file back; they come from the file again when they are read. Buffers that are not mapped
/// stay as they are.
void releasePages(const llvm::MemoryBuffer &file);

/// In hexadecimal, lower case.
std::string sha256(const llvm::MemoryBuffer &file);
std::string sha1(const llvm::MemoryBuffer &file);

} // namespace sinter
