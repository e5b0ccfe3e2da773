// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program that takes text is made of besides its decoder (runner/chat.cpp): tokenizer, chat template, where a
// text begins and ends, and the settings that it starts with.
#pragma once

#include "driver/staging.h"
#include "driver/tokenizer_sources.h"

namespace sinter {

struct TextProgram {
  TokenizerParts parts; ///< with a chat template lines are turns of a conversation; else one text
  std::vector<std::pair<std::string, std::string>> variables; ///< of the template, and their text
  int64_t begin = -1;             ///< the token in front of a text that the tokenizer leaves to others; -1: none
  std::vector<int64_t> ends;      ///< tokens that end a text
  std::vector<std::string> words; ///< of the command line, in front of those that the program is given
};

/// A tokenizer's header and sources, of the prefix sinter_tokens; names of the latter are added to `sources`.
llvm::Error writeTokenizer(const TokenizerParts &parts, const Staging &staging, std::vector<std::string> &sources);

/// The sources beside the model's, in the staging folder; their names are added to `sources`. `weights`: the file
/// beside the program, "" for none. runner/chat.cpp includes the header among them by the macro SINTER_TALK.
llvm::Error writeTextProgram(const TextProgram &text, llvm::StringRef weights, const Staging &staging,
                             std::vector<std::string> &sources);

} // namespace sinter
