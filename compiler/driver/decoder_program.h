// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs that `sinter generate` and `sinter chat` make of a decoder: its session, what chooses tokens, and, of
// text, its tokenizer.
#pragma once

#include "driver/compile_flags.h"
#include "driver/given_inputs.h"
#include "driver/staging.h"
#include "driver/text_program.h"

#include "llvm/Support/JSON.h"

namespace sinter {

/// "1,5,7"; nothing for what is no such list.
std::optional<std::vector<int64_t>> parseIds(llvm::StringRef text);
std::string listOfIds(llvm::ArrayRef<int64_t> ids);

struct StopFlag {
  Flag<std::string> stop{
      "stop", Says("tokens that end a sequence (default: what the model's configuration says; `none`)"), Takes("2,3")};

  /// Those of the flag, none of them, or what the configuration beside the model says. Nothing after a message.
  std::optional<std::vector<int64_t>> ends(llvm::StringRef model) const;
};

/// "that is gone on from", "of --stop".
struct NamedToken {
  int64_t id;
  std::string where;
};

/// What the program is made of.
struct DecoderProgram {
  const TextProgram *text = nullptr;         ///< text in and out (runner/chat.cpp)
  const TokenizerParts *tokenizer = nullptr; ///< else that of `main`, as SINTER_TOKENIZER
  std::string main = "generate.cpp";         ///< of runner/, unless there is `text`
  std::vector<std::string> macros;           ///< that `main` is compiled with besides
  std::vector<NamedToken> tokens;            ///< which the model has to have
  GivenInputs given;                         ///< besides text
  std::string name = "program";              ///< of its file in the staging folder
  std::string weights;                       ///< of the weights' file beside it; "" for none. Set by building
};

/// The program in the staging folder; ExitOk, or the status to end with.
ExitStatus buildDecoderProgram(const CompileFlags &flags, CompileJob &job, const Staging &staging,
                               DecoderProgram &program);

/// Runs it with these words; stdin is the user's, and stdout is unless it goes to the file `output`. The status to end
/// with.
ExitStatus runDecoderProgram(const Staging &staging, const DecoderProgram &program, llvm::ArrayRef<std::string> words,
                             llvm::StringRef output = "");

/// What a program says of its run, in the file that it is given for that.
struct GenerationStats {
  int64_t promptTokens = 0, steps = 0;
  double promptSeconds = 0, stepSeconds = 0;

  double promptTokensPerSecond() const;
  double stepsPerSecond() const;
};
GenerationStats readGenerationStats(llvm::StringRef path);

/// Less the end of its last line; "" where there is no such file.
std::string textOfFile(llvm::StringRef path);
/// "5 7 9".
llvm::json::Array jsonOfIds(llvm::StringRef line);
/// A list of tokens for each line.
llvm::json::Array jsonOfLines(llvm::StringRef lines);
/// --json: what was made, by this name, and how fast.
void answerGenerated(const CompileJob &job, const GenerationStats &stats, llvm::StringRef name, llvm::json::Value made);

} // namespace sinter
