// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text by a decoder: `sinter chat`, and `sinter generate --prompt`.
#pragma once

#include "driver/decoder_program.h"
#include "driver/tokenizer_file.h"

namespace sinter {

struct TextFlags : PatternFlag {
  Flag<std::string> tokenizer{
      "tokenizer",
      Says("the model's tokenizer (tokenizer.json, SentencePiece's .model, a file of tiktoken; default: the one beside "
           "the model)"),
      Takes("FILE")};
};

/// The program of runner/chat.cpp in the staging folder; ExitOk, or the status to end with.
ExitStatus buildChat(const CompileFlags &flags, CompileJob &job, const TextFlags &text, const StopFlag &stop,
                     const Staging &staging, DecoderProgram &program);

/// Builds it and runs it with these words; stdin is the user's. The status to end with.
ExitStatus talk(const CompileFlags &flags, CompileJob &job, const TextFlags &text, const StopFlag &stop,
                llvm::ArrayRef<std::string> words);

} // namespace sinter
