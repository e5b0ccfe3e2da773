// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/talk.h"

#include "driver/answer.h"
#include "driver/chat_folder.h"
#include "driver/chat_template_file.h"
#include "driver/decoder_folder.h"
#include "driver/sampling_config.h"
#include "driver/slow_folder.h"
#include "runtime-lite/generation/tokenizer_encode.h"

using namespace llvm;

namespace sinter {
namespace {

/// The token that a text is, if it is one.
std::optional<int64_t> tokenOf(const tokenizer::CompiledTokenizer &tokenizer, StringRef text) {
  if (text.empty())
    return std::nullopt;
  std::vector<int32_t> ids = encodeText(tokenizer, text, generation::EncodeBare);
  return ids.size() == 1 ? std::optional<int64_t>(ids.front()) : std::nullopt;
}

/// What a text begins and ends with, unless the tokenizer and the flags say it.
ExitStatus settleEdges(const CompileJob &job, const TextFlags &flags, const ChatFolder &folder, TextProgram &text) {
  const tokenizer::CompiledTokenizer &tokenizer = text.parts.tokenizer;
  if (folder.addsBegin.value_or(tokenizer.begin != generation::noToken) && tokenizer.prefix.empty()) {
    std::optional<int64_t> named = tokenOf(tokenizer, folder.specialToken("bos_token"));
    text.begin = named ? *named : tokenizer.begin == generation::noToken ? -1 : int64_t(tokenizer.begin);
  }
  std::optional<std::vector<int64_t>> ends = flags.stop.ends(job.model);
  if (!ends)
    return ExitUsage;
  text.ends = *ends;
  if (!flags.stop.stop.empty())
    return ExitOk;
  // An answer may end with another token than a text of the model without a template.
  if (std::optional<int64_t> named = tokenOf(tokenizer, folder.specialToken("eos_token"));
      named && !is_contained(text.ends, *named))
    text.ends.push_back(*named);
  if (text.ends.empty() && tokenizer.end != generation::noToken)
    text.ends.push_back(tokenizer.end);
  return ExitOk;
}

ExitStatus settleTemplate(const TextFlags &flags, const ChatFolder &folder, TextProgram &text) {
  text.variables = folder.specialTokens;
  if (flags.chatTemplate.getValue() != "none") {
    if (!flags.chatTemplate.empty()) {
      if (ExitStatus status = compileChatTemplateFile(flags.chatTemplate, text.parts.chat); status != ExitOk)
        return status;
    } else {
      for (const std::string &each : folder.leftOut)
        errs() << "sinter: " << each << "\n";
    }
    if (flags.chatTemplate.empty() && folder.chatTemplate) {
      Diagnostics diagnostics;
      text.parts.chat = chat_template::compileChatTemplate(*folder.chatTemplate, diagnostics);
      tell(diagnostics, folder.file);
      if (!text.parts.chat) {
        errs() << "sinter: hint: --chat-template FILE gives another one, --chat-template none goes on from text\n";
        return ExitModel;
      }
    }
  }
  if (flags.system.getNumOccurrences() && !text.parts.chat) {
    printError("--system without a chat template: who is to tell it from other text?",
               "--chat-template FILE gives one");
    return ExitUsage;
  }
  return ExitOk;
}

} // namespace

std::vector<std::string> TextFlags::words() const {
  std::vector<std::string> words = sampling.words();
  if (tokens.getNumOccurrences())
    words.insert(words.end(), {"--tokens", std::to_string(tokens)});
  if (beams.getNumOccurrences())
    words.insert(words.end(), {"--beams", std::to_string(beams), "--beam-groups", std::to_string(beamGroups)});
  if (with.getNumOccurrences())
    words.insert(words.end(), {"--with", with});
  return words;
}

std::optional<std::vector<std::string>> TextFlags::configured(StringRef model, ArrayRef<int64_t> ends,
                                                              bool hasOneText) const {
  SettledSampling settled;
  settled.file = generationConfig.getValue();
  settled.given = words();
  if (beams.getNumOccurrences())
    settled.beams = beams.getValue();
  settled.draws = sampling.draws();
  settled.isSurest = sampling.contrasts() || (sampling.temperature.getNumOccurrences() && sampling.temperature == 0);
  settled.hasOneText = hasOneText || rows() > 1 || grammar.isGiven() || sampling.contrasts();
  settled.hasGrammar = grammar.isGiven();
  settled.ends = ends.vec();
  std::optional<SamplingConfig> config = samplingConfigBeside(model, settled);
  if (!config)
    return std::nullopt;
  for (StringRef line : split(config->said, '\n'))
    if (!line.empty())
      errs() << "sinter: " << line << "\n";
  std::vector<std::string> all = {"--tokens", std::to_string(usualTokens)};
  llvm::append_range(all, config->words);
  return all;
}

int64_t TokenSequences::sideBySide(const TextFlags &text, ArrayRef<std::string> configured) const {
  const bool isEachAlone =
      text.rows() > 1 || text.beams > 1 || text.sampling.contrasts() || is_contained(configured, "--beams");
  return isEachAlone ? 1 : static_cast<int64_t>(count);
}

int64_t TokenSequences::rowsSideBySide(const TextFlags &text, ArrayRef<std::string> configured) const {
  std::vector<std::string> words = configured.vec();
  llvm::append_range(words, text.words());
  int64_t following = 0; // the last of which nothing goes on from
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    int64_t number = 0;
    if ((words[i] != "--tokens" && words[i] != "--max-length") || StringRef(words[i + 1]).getAsInteger(10, number))
      continue;
    following = words[i] == "--tokens" ? number : number - static_cast<int64_t>(shortest);
  }
  return static_cast<int64_t>(longest) + following - 1;
}

ExitStatus settleDrafts(const TextFlags &flags, const tokenizer::CompiledTokenizer *tokenizer, CompileJob &job) {
  job.decoder->hidden |= flags.sampling.contrasts();
  job.decoder->rows = std::max(job.decoder->rows, flags.rows());
  if (flags.draft.empty())
    return ExitOk;
  std::optional<std::string> model = modelFileAt(flags.draft);
  if (!model) {
    printError("--draft " + flags.draft + ": there is no decoder",
               "it is a model, or a folder that an exporter made of one");
    return ExitUsage;
  }
  job.decoder->draft = *model;
  std::string path = tokenizer ? tokenizerBeside(*model) : "";
  if (path.empty())
    return ExitOk;
  std::optional<tokenizer::CompiledTokenizer> other;
  if (ExitStatus status = compileTokenizerFile(path, flags.pattern, other); status != ExitOk)
    return status;
  if (std::optional<size_t> token = firstOtherToken(*tokenizer, *other)) {
    Diagnostics diagnostics;
    diagnostics.report({Code::UnfitDraft,
                        "token " + std::to_string(*token) + " is another text to the draft's tokenizer, " + path,
                        {},
                        "a draft is a smaller model with the same tokens, mostly of the same family"});
    tell(diagnostics, job.model);
    return ExitModel;
  }
  job.decoder->draftTokens = static_cast<int64_t>(tokenizer->tokenFlags.size());
  return ExitOk;
}

ExitStatus compileTokenizerOf(const CompileJob &job, const TextFlags &flags,
                              std::optional<tokenizer::CompiledTokenizer> &compiled) {
  std::string path = flags.tokenizer.empty() ? tokenizerBeside(job.model) : flags.tokenizer.getValue();
  if (path.empty()) {
    printNoTokenizer(job.model);
    return ExitUsage;
  }
  return compileTokenizerFile(path, flags.pattern, compiled);
}

ExitStatus settleText(const CompileJob &job, const TextFlags &flags, TextProgram &text) {
  std::optional<tokenizer::CompiledTokenizer> compiled;
  if (ExitStatus status = compileTokenizerOf(job, flags, compiled); status != ExitOk)
    return status;
  text.parts.tokenizer = std::move(*compiled);
  if (ExitStatus status = compileGrammar(flags.grammar, text.parts.grammar); status != ExitOk)
    return status;
  ChatFolder folder = chatFolderBeside(job.model);
  if (ExitStatus status = settleEdges(job, flags, folder, text); status != ExitOk)
    return status;
  return settleTemplate(flags, folder, text);
}

ExitStatus buildChat(const CompileFlags &flags, CompileJob &job, const TextFlags &text, const Staging &staging,
                     DecoderProgram &program) {
  job.decoder = flags.decoder.wish();
  if (!checkSearch(text, job))
    return ExitUsage;
  TextProgram made;
  if (ExitStatus status = settleText(job, text, made); status != ExitOk)
    return status;
  std::optional<std::vector<std::string>> words = text.configured(job.model, made.ends, false);
  if (!words)
    return ExitUsage;
  made.words = std::move(*words);
  llvm::append_range(made.words, text.words());
  if (!text.stopText.empty())
    made.words.insert(made.words.end(), {"--stop", text.stopText});
  if (text.system.getNumOccurrences())
    made.words.insert(made.words.end(), {"--system", text.system});
  job.decoder->hasSession = true;
  if (ExitStatus status = settleDrafts(text, &made.parts.tokenizer, job); status != ExitOk)
    return status;
  program.text = &made;
  append_range(program.tokens, tokensOf(text));
  ExitStatus status = buildDecoderProgram(flags, job, staging, program);
  program.text = nullptr; // it ends here
  return status;
}

ExitStatus talk(const CompileFlags &flags, CompileJob &job, const TextFlags &text, std::vector<std::string> words,
                bool asJson, ArrayRef<std::string> inputs) {
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging) {
    printError(toString(staging.takeError()));
    return ExitUsage;
  }
  DecoderProgram built;
  if (!built.given.read(inputs, decoderConfigBeside(job.model)))
    return ExitUsage;
  if (ExitStatus status = buildChat(flags, job, text, **staging, built); status != ExitOk)
    return status;
  std::vector<std::string> given = built.given.words(**staging);
  words.insert(words.begin(), given.begin(), given.end());
  if (!asJson)
    return runDecoderProgram(**staging, built, words);
  std::string stats = (*staging)->file("stats.txt"), output = (*staging)->file("text.txt");
  words.insert(words.begin(), {"--stats", stats});
  if (ExitStatus status = runDecoderProgram(**staging, built, words, output); status != ExitOk)
    return status;
  answerGenerated(job, readGenerationStats(stats), "text", utf8(textOfFile(output)));
  return ExitOk;
}

} // namespace sinter
