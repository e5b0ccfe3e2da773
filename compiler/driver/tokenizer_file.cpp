// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/tokenizer_file.h"

#include "driver/answer.h"
#include "driver/config_file.h"
#include "driver/flags.h"
#include "driver/slow_folder.h"
#include "runtime-lite/generation/tokenizer_decode.h"
#include "runtime-lite/generation/tokenizer_encode.h"
#include "support/given_file.h"
#include "tokenizer/read_sentencepiece.h"
#include "tokenizer/read_tiktoken.h"
#include "tokenizer/read_tokenizer.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter {

ExitStatus compileTokenizerFile(StringRef path, StringRef pattern,
                                std::optional<tokenizer::CompiledTokenizer> &compiled) {
  Expected<std::unique_ptr<MemoryBuffer>> file = readGiven(path, tokenizer::largestFile);
  if (!file) {
    printError(toString(file.takeError()));
    return ExitUsage;
  }
  tokenizer::SlowFiles beside;
  beside.model = (*file)->getBuffer();
  if (tokenizer::isSentencePiece(beside.model))
    if (ExitStatus status = findSlowFiles(path, beside); status != ExitOk)
      return status;
  Diagnostics diagnostics;
  std::optional<tokenizer::Tokenizer> read = beside.className.empty()
                                                 ? tokenizer::readTokenizer(beside.model, {pattern.str()}, diagnostics)
                                                 : tokenizer::readSlowTokenizer(beside, diagnostics);
  tokenizer::Trouble trouble(diagnostics);
  if (read)
    compiled = tokenizer::compileTokenizer(std::move(*read), trouble);
  // The pattern of tiktoken's files is a user's word.
  bool isOfFlag = tokenizer::isTiktoken((*file)->getBuffer()) && any_of(diagnostics.all(), [](const Problem &problem) {
                    return problem.code == Code::UnsupportedPattern;
                  });
  tell(diagnostics, isOfFlag ? "--pattern" : path);
  return compiled ? ExitOk : ExitModel;
}

/// As transformers names them, the whole one first. Of Marian's two files the one that cuts text.
static constexpr StringLiteral tokenizerNames[] = {"tokenizer.json",     "tokenizer.model",         "source.spm",
                                                   "spiece.model",       "sentencepiece.bpe.model", "spm.model",
                                                   "sentencepiece.model"};

std::string tokenizerBeside(StringRef model) {
  std::string folders[] = {sys::path::parent_path(model).str(), configFolderOf(model)};
  for (StringRef folder : folders)
    for (StringRef name : tokenizerNames) {
      SmallString<128> path(folder);
      sys::path::append(path, name);
      if (sys::fs::is_regular_file(path))
        return path.str().str();
    }
  return "";
}

std::optional<size_t> firstOtherToken(const tokenizer::CompiledTokenizer &one,
                                      const tokenizer::CompiledTokenizer &other) {
  auto textOf = [](const tokenizer::CompiledTokenizer &tokenizer, size_t id) {
    const auto &tokens = tokenizer.tokens;
    return std::pair(tokenizer.tokenFlags[id], std::string(tokens.bytes.begin() + tokens.starts[id],
                                                           tokens.bytes.begin() + tokens.starts[id + 1]));
  };
  size_t count = std::min(one.tokenFlags.size(), other.tokenFlags.size());
  for (size_t id = 0; id < count; ++id)
    if (textOf(one, id) != textOf(other, id))
      return id;
  return one.tokenFlags.size() == other.tokenFlags.size() ? std::nullopt : std::optional(count);
}

std::vector<int32_t> encodeText(const tokenizer::CompiledTokenizer &compiled, StringRef text, uint32_t flags) {
  tokenizer::CompiledTokenizer::View view;
  compiled.view(view);
  std::vector<int32_t> ids;
  auto encode = [&](void *memory, size_t bytes) {
    return generation::encode(view.tables, text.data(), text.size(), ids.data(), ids.size(), flags, memory, bytes);
  };
  tokenizer::withScratch(view.tables, text.size(), [&](void *memory, size_t bytes) {
    int64_t count = encode(memory, bytes);
    if (count == generation::EncodeNeedsScratch)
      return false;
    ids.resize(std::max<int64_t>(0, count));
    encode(memory, bytes);
    return true;
  });
  return ids;
}

std::string decodeTokens(const tokenizer::CompiledTokenizer &compiled, ArrayRef<int32_t> ids,
                         std::optional<int32_t> before) {
  tokenizer::CompiledTokenizer::View view;
  compiled.view(view);
  std::string text;
  if (!before) {
    auto decode = [&] {
      return generation::decode(view.tables, ids.data(), ids.size(), text.data(), text.size(), /*flags=*/0);
    };
    text.resize(decode());
    decode();
    return text;
  }
  std::string shown(compiled.longestText + 16, 0); // with bytes that wait for others
  generation::DecodeState state = {};
  auto next = [&](int32_t id, uint32_t flags) {
    return StringRef(shown.data(), generation::decodeNext(view.tables, state, id, shown.data(), shown.size(), flags));
  };
  next(*before, generation::DecodeSpecial);
  for (int32_t id : ids)
    text += next(id, /*flags=*/0);
  text.append(shown.data(), generation::decodeEnd(view.tables, state, shown.data(), shown.size()));
  return text;
}

} // namespace sinter
