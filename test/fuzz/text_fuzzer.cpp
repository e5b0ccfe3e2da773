// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as what surrounds a model that makes text: a tokenizer, a chat template, a grammar, a JSON schema, the
// configurations of a folder; the first byte says which. What they say ends in diagnostics or in tables, and tables
// take hostile text. text_seeds.py writes a corpus to start from.
#include "text_mutator.h"
#include "wire_mutator.h"

#include "chat_template/compile.h"
#include "chat_template/emit.h"
#include "driver/chat_folder.h"
#include "driver/decoder_folder.h"
#include "driver/generation_config.h"
#include "driver/sampling_config.h"
#include "driver/staging.h"
#include "driver/tokenizer_file.h"
#include "grammar/automaton.h"
#include "grammar/gbnf.h"
#include "grammar/json_schema.h"
#include "grammar/tables.h"
#include "runtime-lite/generation/chat_template.h"
#include "runtime-lite/generation/grammar_mask.h"
#include "runtime-lite/generation/tokenizer_decode.h"
#include "runtime-lite/generation/tokenizer_encode.h"
#include "tokenizer/emit.h"
#include "tokenizer/read_tokenizer.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <string>

using namespace sinter;

namespace {

const char *const texts[] = {"Hello world 12", "", "\xff\xfe\x80", "a\xcc\x81\xcc\x81 e\xe0\xa4\xbf\xea\xb0\x80",
                             "<s>\xe2\x96\x81<0x0A>  \r\n\t!!!!!!!!!!!!!!!!!!!!"};

/// A reader fails with a message, and only then.
void require(bool isMade, const Diagnostics &diagnostics) {
  diagnostics.print(llvm::nulls(), "text");
  if (isMade == diagnostics.hasErrors())
    abort();
}

void tokenize(llvm::StringRef bytes) {
  Diagnostics diagnostics;
  std::optional<tokenizer::Tokenizer> read = tokenizer::readTokenizer(bytes, {"qwen"}, diagnostics);
  std::optional<tokenizer::CompiledTokenizer> made;
  tokenizer::Trouble trouble(diagnostics);
  if (read)
    made = tokenizer::compileTokenizer(std::move(*read), trouble);
  require(made.has_value(), diagnostics);
  if (!made)
    return;
  tokenizer::CompiledTokenizer::View view;
  made->view(view);
  for (const char *text : texts) {
    std::vector<int32_t> ids = encodeText(*made, text, 0);
    for (int32_t id : ids)
      if (id < 0 || static_cast<size_t>(id) >= made->tokenFlags.size())
        abort();
    ids.insert(ids.end(), {-1, INT32_MAX, 0});
    char decoded[64];
    generation::decode(view.tables, ids.data(), ids.size(), decoded, sizeof decoded, 0);
  }
  if (bytes.size() < 2000) // what it prints has a megabyte
    llvm::nulls() << tokenizer::emitSource(*made, "fuzzed");
}

void converse(llvm::StringRef source) {
  Diagnostics diagnostics;
  std::optional<chat_template::CompiledChat> made = chat_template::compileChatTemplate(source, diagnostics);
  require(made.has_value(), diagnostics);
  if (!made)
    return;
  const generation::ChatMessage messages[] = {
      {"system", 6, "Be brief.", 9}, {"user", 4, "Hi \xff{{", 6}, {"assistant", 9, "", 0}, {"user", 4, nullptr, 0}};
  const char tools[] =
      R"([{"type": "function", "function": {"name": "f\u00e9", "parameters": {"a": [1.5, null, true]}}}])";
  const generation::ChatVariable variables[] = {{"bos_token", 9, "<s>", 3, 0},
                                                {"tools", 5, tools, sizeof tools - 1, 1}};
  const generation::ChatDate date = {2026, 2, 28, 23, 59, 59};
  const generation::ChatInput input = {messages, std::size(messages), variables, std::size(variables), &date, true};
  std::vector<char> scratch(1 << 20), text(1 << 12);
  generation::ChatMachine(made->view(), input, scratch.data(), scratch.size(), text.data(), text.size()).run();
  llvm::nulls() << chat_template::emitChatSource(*made, "fuzzed");
}

void constrain(const std::optional<std::vector<grammar::Pattern>> &rules, Diagnostics &diagnostics) {
  std::optional<grammar::Automaton> automaton = rules ? grammar::buildAutomaton(*rules, diagnostics) : std::nullopt;
  require(automaton.has_value(), diagnostics);
  if (!automaton)
    return;
  const grammar::GrammarTables tables = grammar::tablesOf(*automaton);
  const grammar::TrieTables trie = grammar::trieOf(
      {"", "a", "\"", "{", "}", "[", "]", ",", ":", " ", "0", "1", "{\"", "\": ", "ab", "\xc3", "\xa9", "true"});
  const sinter_grammar view = tables.view();
  const sinter_token_trie tokens = trie.view();
  const auto vocabulary = static_cast<int32_t>(tokens.count);
  constexpr int32_t depth = 16, steps = 40;
  int32_t stack[depth + 1];
  uint32_t mask[4] = {};
  generation::Grammar text(view, stack, depth);
  for (int32_t step = 0; step < steps; ++step) {
    if (!generation::allowTokens(text, tokens, {nullptr, 0, steps - step}, nullptr, mask, vocabulary)) {
      if (!text.isComplete() && step == 0)
        return; // these tokens do not spell it
      break;
    }
    for (int32_t i = 0; i < vocabulary; ++i) {
      const int32_t id = (i + step) % vocabulary, begin = id ? tokens.ends[id - 1] : 0;
      if (!(mask[id / 32] >> (id % 32) & 1))
        continue;
      if (!text.take(tokens.bytes + begin, static_cast<size_t>(tokens.ends[id] - begin)))
        abort(); // what is allowed fits
      break;
    }
  }
}

/// One text as each of a folder's configurations.
void configure(llvm::StringRef bytes) {
  llvm::Expected<std::unique_ptr<Staging>> made = Staging::temporary(); // gone behind each, whose process may end
  if (!made)
    abort();
  const Staging &staging = **made;
  for (const char *name : {"config.json", "generation_config.json", "genai_config.json", "tokenizer_config.json",
                           "chat_template.json", "special_tokens_map.json"})
    llvm::cantFail(staging.write(name, bytes));
  const std::string model = staging.file("model.onnx");
  decoderFileIn(staging.folder());
  encoderFileBeside(model);
  DecoderConfig config = decoderConfigBeside(model);
  for (int64_t end : config.ends)
    if (end < 0 || end >= INT32_MAX)
      abort();
  for (const SpeechWish &wish : {SpeechWish{"", ""}, SpeechWish{"en", "translate"}})
    generationConfigBeside(model, wish);
  for (bool draws : {false, true}) {
    SettledSampling settled;
    settled.draws = draws;
    if (std::optional<SamplingConfig> sampling = samplingConfigBeside(model, settled); !sampling)
      abort(); // what is beside a model says something or nothing
  }
  chatFolderBeside(model);
}
} // namespace

/// LLVM's archives are built without the sanitizer, so their half of its allocators does not unpoison.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  const llvm::StringRef text(reinterpret_cast<const char *>(data) + 1, size - 1);
  Diagnostics diagnostics;
  switch (data[0]) {
  case 't':
    tokenize(text);
    break;
  case 'c':
    converse(text);
    break;
  case 'g':
    constrain(grammar::rulesOfGbnf({text.data(), text.size()}, diagnostics), diagnostics);
    break;
  case 's':
    constrain(grammar::rulesOfSchema({text.data(), text.size()}, diagnostics), diagnostics);
    break;
  case 'f':
    configure(text);
    break;
  default:
    break;
  }
  return 0;
}

/// The first byte stays.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  if (size < 2 || most < 2)
    return size;
  const bool isMessage = data[0] == 't' && data[1] == '\n';
  return 1 + (isMessage ? mutateModel(data + 1, size - 1, most - 1, seed, MessageKind::PieceModel)
                        : mutateText(data + 1, size - 1, most - 1, seed));
}
