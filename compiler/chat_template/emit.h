// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chat template as source: what is added to the header and the source of a tokenizer.
#pragma once

#include "chat_template/compile.h"

namespace sinter::chat_template {

/// Declarations in C, inside of extern "C". `prefix` begins each name.
std::string emitChatHeader(llvm::StringRef prefix);
/// A C++17 source that includes PREFIX.h and needs nothing else.
std::string emitChatSource(const CompiledChat &chat, llvm::StringRef prefix);

} // namespace sinter::chat_template
