// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that transformers saves beside a SentencePiece file, and what to say of tokenizers that nobody can read.
#pragma once

#include "driver/verbs.h"
#include "tokenizer/read_slow.h"

namespace sinter {

/// What lies beside a SentencePiece file. `files` has no class where nothing does that says which it is: then the file
/// is all there is. ExitOk, or the status to end with after a message.
ExitStatus findSlowFiles(llvm::StringRef path, tokenizer::SlowFiles &files);

/// Says that no tokenizer lies beside a model, or which files of one do that are not read by themselves.
void printNoTokenizer(llvm::StringRef model);

} // namespace sinter
