// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/prompt_tokens.h"

#include "driver/answer.h"
#include "runtime-lite/generation/chat_template.h"
#include "runtime-lite/generation/tokenizer_encode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <ctime>

using namespace llvm;

namespace sinter {
namespace {

generation::ChatDate today() {
  const std::time_t seconds = std::time(nullptr);
  const std::tm *local = std::localtime(&seconds);
  return local ? generation::ChatDate{local->tm_year + 1900, local->tm_mon + 1, local->tm_mday,
                                      local->tm_hour,        local->tm_min,     local->tm_sec}
               : generation::ChatDate{1970, 1, 1, 0, 0, 0};
}

/// Nothing after a message.
std::optional<std::string> asFirstTurn(const TextProgram &program, const TextFlags &flags, StringRef prompt) {
  std::vector<generation::ChatMessage> messages;
  auto add = [&](StringRef role, StringRef content) {
    messages.push_back({role.data(), role.size(), content.data(), content.size()});
  };
  if (flags.system.getNumOccurrences())
    add("system", flags.system.getValue());
  add("user", prompt);
  std::vector<generation::ChatVariable> variables;
  for (const auto &[name, text] : program.variables)
    variables.push_back({name.data(), name.size(), text.data(), text.size(), 0});
  const generation::ChatDate date = today();
  const generation::ChatInput input = {messages.data(),  messages.size(), variables.data(),
                                       variables.size(), &date,           /*addsGenerationPrompt=*/true};
  std::string text(4096 + 4 * prompt.size(), 0);
  constexpr size_t mostScratch = size_t(1) << 30;
  for (size_t bytes = size_t(1) << 18;;) {
    std::vector<uint64_t> scratch(bytes / sizeof(uint64_t));
    int64_t size = renderChat(program.parts.chat->view(), input, scratch.data(), bytes, text.data(), text.size());
    if (size == generation::ChatNoMemory && bytes < mostScratch) {
      bytes *= 4;
      continue;
    }
    if (size < 0) {
      printError("the chat template: " + Twine(text.c_str()), "--chat-template none goes on from the text as it is");
      return std::nullopt;
    }
    bool isAll = static_cast<size_t>(size) <= text.size();
    text.resize(static_cast<size_t>(size));
    if (isAll)
      return text;
  }
}

std::string textOfTokens(const tokenizer::CompiledTokenizer &tokenizer, ArrayRef<int64_t> ends, StringRef line,
                         std::optional<int32_t> before) {
  std::vector<int32_t> ids;
  for (StringRef each : split(line, ' '))
    if (int32_t id; !each.getAsInteger(10, id))
      ids.push_back(id);
  if (!ids.empty() && is_contained(ends, int64_t(ids.back())))
    ids.pop_back();
  return decodeTokens(tokenizer, ids, before);
}
} // namespace

ExitStatus promptTokens(const TextProgram &program, const TextFlags &flags, ArrayRef<std::string> prompts,
                        std::vector<std::vector<int64_t>> &tokens) {
  const tokenizer::CompiledTokenizer &tokenizer = program.parts.tokenizer;
  for (const std::string &prompt : prompts) {
    std::vector<int64_t> &ids = tokens.emplace_back();
    std::optional<std::string> text = prompt;
    if (program.parts.chat && !(text = asFirstTurn(program, flags, prompt)))
      return ExitUsage;
    if (!program.parts.chat && program.begin >= 0)
      ids.push_back(program.begin);
    for (int32_t id :
         encodeText(tokenizer, *text, program.parts.chat ? generation::EncodeBare : 0)) // else it has these
      ids.push_back(id);
    if (ids.empty()) {
      printError("--prompt '" + prompt + "' makes no tokens", "a text needs something to go on from");
      return ExitUsage;
    }
  }
  return ExitOk;
}

void showTexts(const CompileJob &job, const tokenizer::CompiledTokenizer &tokenizer, ArrayRef<int64_t> ends,
               ArrayRef<int64_t> befores, StringRef lines, const GenerationStats &stats, bool asJson) {
  json::Array texts;
  ListSeparator emptyLine("\n");
  for (StringRef line : split(lines, '\n')) {
    size_t number = texts.size();
    std::optional<int32_t> before;
    if (number < befores.size())
      before = static_cast<int32_t>(befores[number]);
    std::string text = textOfTokens(tokenizer, ends, line, before);
    if (!asJson)
      outs() << StringRef(emptyLine) << text << "\n";
    texts.push_back(utf8(text));
  }
  if (asJson)
    answerGenerated(job, stats, "texts", std::move(texts));
}

} // namespace sinter
