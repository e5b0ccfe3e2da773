// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several prompts of `sinter generate`: the compiler makes tokens of them, since the program that goes on with them
// side by side has room for as many and as long ones, and texts of the tokens that follow.
#pragma once

#include "driver/talk.h"

namespace sinter {

/// The tokens of each prompt: what the chat template makes of a user's only turn, behind the system's message if one is
/// given, or the text as it is behind what texts begin with. ExitOk, or the status to end with after a message.
ExitStatus promptTokens(const TextProgram &program, const TextFlags &flags, llvm::ArrayRef<std::string> prompts,
                        std::vector<std::vector<int64_t>> &tokens);

/// Texts of lines of tokens such as "5 7 9" for stdout, an empty line between two; of --json "texts". A last token that
/// is one of `ends` is left out. `befores`: where the texts go on from prompts, the last token of each.
void showTexts(const CompileJob &job, const tokenizer::CompiledTokenizer &tokenizer, llvm::ArrayRef<int64_t> ends,
               llvm::ArrayRef<int64_t> befores, llvm::StringRef lines, const GenerationStats &stats, bool asJson);

} // namespace sinter
