// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text by a decoder: `sinter chat`, and `sinter generate --prompt`.
#pragma once

#include "driver/decoder_program.h"
#include "driver/grammar_flags.h"
#include "driver/sampling_flags.h"
#include "driver/tokenizer_file.h"

namespace sinter {

struct TextFlags : PatternFlag {
  Flag<std::string> tokenizer{
      "tokenizer",
      Says("the model's tokenizer (tokenizer.json, SentencePiece's .model, a file of tiktoken; default: the one beside "
           "the model)"),
      Takes("FILE")};
  Flag<std::string> chatTemplate{
      "chat-template",
      Says(
          "how conversations are written (Jinja; default: as the folder of the model says); none: text is gone on from "
          "as it is"),
      Takes("FILE | none")};
  Flag<std::string> system{"system", Says("what a conversation begins with: the system's message"), Takes("text")};
  StopFlag stop;
  Flag<std::string> stopText{"stop-text", Says("of one prompt, or of chat: a text at which an answer ends, unseen"),
                             Takes("text")};
  Flag<unsigned> tokens{"tokens", Says("how many tokens an answer has at most (default: 32; of chat 256)"), Takes("n"),
                        AtLeast(1)};
  Flag<unsigned> speculate{
      "speculate",
      Says("draft so many tokens by what followed the last ones earlier in the text, and take those "
           "that one call confirms: the same text in fewer calls (default: none; with --draft 4)"),
      Takes("n"), AtLeast(1)};
  Flag<std::string> draft{"draft",
                          Says("a smaller decoder with the same tokens, which drafts them instead: the same text in "
                               "fewer calls of the model"),
                          Takes("FOLDER|MODEL")};
  Flag<unsigned> beams{"beams", Says("texts that are gone on with side by side; the best is shown"), Takes("n"),
                       Initially(1u), AtLeast(1)};
  Flag<unsigned> beamGroups{"beam-groups",
                            Says("of --beams: groups, of which later ones avoid the tokens of earlier ones by "
                                 "--diversity-penalty"),
                            Takes("n"), Initially(1u), AtLeast(1)};
  Flag<std::string> with{"with", Says("of adapters that have names which are on, and how much each counts (1)"),
                         Takes("sql, or sql=0.5,poet")};
  SamplingFlags sampling;
  Flag<std::string> generationConfig{
      "generation-config",
      Says("how tokens are chosen where no flag says it (default: genai_config.json or generation_config.json beside "
           "the model); none: by the flags alone"),
      Takes("FILE | none")};
  GrammarFlags grammar;
  unsigned usualTokens = 256; ///< of an answer, where nothing says how many

  /// What was given of sampling, --tokens, --beams, --beam-groups and --with, as the programs of runner/ take it.
  std::vector<std::string> words() const;
  /// In front of these: what the model's configuration says of choosing tokens, which stderr is told. `hasOneText`:
  /// beams would not go with what is asked. Nothing after a message.
  std::optional<std::vector<std::string>> configured(llvm::StringRef model, llvm::ArrayRef<int64_t> ends,
                                                     bool hasOneText) const;
  /// Of a call, those whose logits are needed: those of drafts, and what is in front of them.
  int64_t rows() const {
    constexpr int64_t usual = 4;
    return 1 + (speculate.getNumOccurrences() ? int64_t(speculate) : draft.empty() ? 0 : usual);
  }
};

/// Lists of tokens that are gone on from.
struct TokenSequences {
  std::string words; ///< "1,5;2,7"
  size_t count = 1, shortest = 0, longest = 0;
  int64_t greatest = -1;      ///< of all tokens
  std::vector<int64_t> lasts; ///< the last token of each

  bool haveOneLength() const { return shortest == longest; }
  /// How many go on in the same calls: all, or each by itself, where what is asked looks for one text in several calls.
  /// `configured`: by the model's configuration.
  int64_t sideBySide(const TextFlags &text, llvm::ArrayRef<std::string> configured) const;
  /// How many rows of caches they take then.
  int64_t rowsSideBySide(const TextFlags &text, llvm::ArrayRef<std::string> configured) const;
};

/// Those that flags name.
std::vector<NamedToken> tokensOf(const TextFlags &flags);

/// Whether settings have values that there are, and --beams and --penalty-alpha go with the other flags; false after a
/// message.
bool checkSearch(const TextFlags &flags, const CompileJob &job);

/// What --speculate and --draft say of a decoder whose job.decoder is there. `tokenizer`: the model's, if text is made.
ExitStatus settleDrafts(const TextFlags &flags, const tokenizer::CompiledTokenizer *tokenizer, CompileJob &job);

/// The tokenizer that --tokenizer names, or that lies beside the model. ExitOk, or the status to end with.
ExitStatus compileTokenizerOf(const CompileJob &job, const TextFlags &flags,
                              std::optional<tokenizer::CompiledTokenizer> &compiled);

/// The tokenizer, the grammar, the chat template, and what texts begin and end with; `words` are left out. ExitOk, or
/// the status to end with.
ExitStatus settleText(const CompileJob &job, const TextFlags &flags, TextProgram &text);

/// The program of runner/chat.cpp in the staging folder; ExitOk, or the status to end with.
ExitStatus buildChat(const CompileFlags &flags, CompileJob &job, const TextFlags &text, const Staging &staging,
                     DecoderProgram &program);

/// Builds it and runs it with these words and `inputs`, NAME=FILE; stdin is the user's. What it writes comes as it is
/// made, or as an answer in JSON. The status to end with.
ExitStatus talk(const CompileFlags &flags, CompileJob &job, const TextFlags &text, std::vector<std::string> words,
                bool asJson = false, llvm::ArrayRef<std::string> inputs = {});

} // namespace sinter
