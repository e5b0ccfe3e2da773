// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter tokenizer: a tokenizer file to source that stands alone. How: compiler/tokenizer.
#include "driver/answer.h"
#include "driver/chat_template_file.h"
#include "driver/flags.h"
#include "driver/grammar_flags.h"
#include "driver/output_file.h"
#include "driver/tokenizer_file.h"
#include "driver/tokenizer_sources.h"
#include "runtime-lite/generation/tokenizer_tables.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {

struct TokenizerFlags : PatternFlag, GrammarFlags {
  Flag<std::string> file{FlagTrait::Positional, FlagTrait::Required, Takes("FILE")};
  Flag<std::string> output{"o", Says("where the header and the source go: a folder, or the header's name"),
                           Takes("folder | NAME.h")};
  Flag<std::string> prefix{"prefix", Says("what names of the interface begin with; the header's name otherwise"),
                           Takes("identifier")};
  Flag<std::string> chatTemplate{"chat-template", Says("a chat template (Jinja), compiled into NAME_chat"),
                                 Takes("FILE")};
  Flag<std::string> encode{"encode", Says("print the token ids of a text"), Takes("text")};
  Flag<bool> bare{"bare", Says("--encode without the tokens that go around a text")};
  Flag<bool> plainText{"plain-text", Says("--encode takes special tokens in the text as text")};
  JsonFlag asJson;
};

bool isPrefix(StringRef text) {
  return !text.empty() && !isDigit(text[0]) && all_of(text, [](char c) { return c == '_' || isAlnum(c); });
}

/// Makes the folder that files go to.
std::string placeFor(const TokenizerFlags &flags, std::string &prefix) {
  StringRef output = flags.output;
  bool isHeader = sys::path::extension(output) == ".h";
  if (prefix.empty())
    prefix = isHeader ? sys::path::stem(output).str() : "tokenizer";
  return isHeader ? sys::path::parent_path(output).str() : output.str();
}
} // namespace

int tokenizerVerb(const Arguments &arguments) {
  TokenizerFlags flags;
  static constexpr StringRef examples[] = {"sinter tokenizer tokenizer.json -o gen/",
                                           "sinter tokenizer tokenizer.json --encode 'Hello world'"};
  if (std::optional<ExitStatus> status = parseFlags(
          arguments,
          {"Turns a tokenizer (tokenizer.json, SentencePiece's .model, tiktoken's files) into C++ that stands alone.",
           examples}))
    return *status;
  Diagnostics diagnostics;
  auto failed = [&](ExitStatus status) {
    tell(diagnostics, flags.file);
    return status;
  };
  std::string prefix = flags.prefix;
  std::string folder = placeFor(flags, prefix);
  if (!isPrefix(prefix)) {
    printError("'" + prefix + "' is no identifier of C", "give one with --prefix");
    return ExitUsage;
  }
  std::optional<tokenizer::CompiledTokenizer> compiled;
  if (ExitStatus status = compileTokenizerFile(flags.file, flags.pattern, compiled); status != ExitOk)
    return status;
  TokenizerParts parts;
  parts.tokenizer = std::move(*compiled);
  if (!flags.chatTemplate.empty())
    if (ExitStatus status = compileChatTemplateFile(flags.chatTemplate, parts.chat); status != ExitOk)
      return status;
  if (ExitStatus status = compileGrammar(flags, parts.grammar); status != ExitOk)
    return status;
  const auto tokens = static_cast<int64_t>(parts.tokenizer.tokenFlags.size());
  json::Object result{{"tokenizer", utf8(flags.file)}, {"tokens", tokens}};
  if (!flags.output.empty()) {
    std::error_code problem = folder.empty() ? std::error_code() : sys::fs::create_directories(folder);
    std::vector<std::pair<std::string, std::string>> sources = tokenizerSources(parts, prefix);
    std::vector<OutputFile> files;
    json::Array names;
    std::string listed;
    for (auto &[name, text] : sources) {
      name = folder.empty() ? name : folder + "/" + name;
      files.push_back({name, text});
      names.push_back(name);
      listed += name + ", ";
    }
    if (Error error = problem ? errorCodeToError(problem) : writeOutputs(files)) {
      diagnostics.report({Code::CannotWrite, toString(std::move(error)), {}, ""});
      return failed(ExitUsage);
    }
    if (!flags.asJson)
      outs() << "written: " << listed << tokens << " tokens\n";
    result["files"] = std::move(names);
  }
  if (flags.encode.getNumOccurrences()) {
    uint32_t options = (flags.bare ? generation::EncodeBare : 0) | (flags.plainText ? generation::EncodePlainText : 0);
    std::vector<int32_t> ids = encodeText(parts.tokenizer, flags.encode, options);
    if (!flags.asJson) {
      ListSeparator space(" ");
      for (int32_t id : ids)
        outs() << space << id;
      outs() << "\n";
    }
    result["ids"] = json::Array(ids);
  }
  answer(std::move(result));
  return ExitOk;
}

} // namespace sinter
