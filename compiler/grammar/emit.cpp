// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grammar/emit.h"

#include "runtime-lite/generation/grammar_mask.h"
#include "support/text_library.h"

using namespace llvm;

namespace sinter::grammar_headers {
extern const EmbeddedFile embedded[];
}

namespace sinter::grammar {
namespace {

/// @ is the prefix, $ the same in capitals, % a number.
constexpr StringLiteral grammarDeclarations = R"(
/* Text that a grammar constrains. Zero is its beginning: @_grammar g = {0}. */
#define $_GRAMMAR_DEPTH 64 /* of recursion; what is nested deeper may not follow */
typedef struct @_grammar {
  int32_t state, depth, stack[$_GRAMMAR_DEPTH];
} @_grammar;
/* What a mask is asked for: tokens that end a text, allowed where it may end and nowhere else; and how many tokens may
   still come, so that the text is complete behind these (0: any number). */
typedef struct @_grammar_wish {
  const int32_t *ends;
  int32_t end_count, budget;
} @_grammar_wish;
/* Masks that are kept, so that those of large vocabularies take microseconds. All zero at first, aligned to 4. */
#define $_GRAMMAR_CACHE_BYTES %u
/* Sets a bit for each token that may follow, the lowest first, in (vocabulary + 31) / 32 words, and returns 1; 0: none
   may. `wish` and `cache` may be null. */
int32_t @_grammar_mask(const @_grammar *grammar, const @_grammar_wish *wish, void *cache, uint32_t *mask,
                       int32_t vocabulary);
/* Goes on by a token; 0, and nothing has changed, if it may not follow. */
int32_t @_grammar_take(@_grammar *grammar, int32_t id);
/* Whether the text may end here. */
int32_t @_grammar_is_complete(const @_grammar *grammar);
)";

constexpr StringLiteral grammarFunctions = R"(
namespace {
Grammar textOf(const @_grammar *at) {
  // Only taking a token writes to the stack, which then is no constant.
  return Grammar(tables, const_cast<int32_t *>(at->stack), $_GRAMMAR_DEPTH, at->state, at->depth);
}
} // namespace

int32_t @_grammar_mask(const @_grammar *grammar, const @_grammar_wish *wish, void *cache, uint32_t *mask,
                       int32_t vocabulary) {
  MaskWish wished;
  if (wish)
    wished = {wish->ends, wish->end_count, wish->budget};
  return allowTokens(textOf(grammar), vocabularyTrie, wished, cache, mask, vocabulary);
}

int32_t @_grammar_take(@_grammar *grammar, int32_t id) {
  if (id < 0 || id >= vocabularyTrie.count)
    return 0;
  const int32_t begin = id ? vocabularyTrie.ends[id - 1] : 0, size = vocabularyTrie.ends[id] - begin;
  Grammar text = textOf(grammar);
  if (!size || !text.take(vocabularyTrie.bytes + begin, size_t(size)))
    return 0;
  grammar->state = text.state;
  grammar->depth = text.depth;
  return 1;
}

int32_t @_grammar_is_complete(const @_grammar *grammar) { return textOf(grammar).isComplete(); }
)";
} // namespace

std::string emitGrammarHeader(StringRef prefix, size_t tokens) {
  const auto [before, behind] = grammarDeclarations.split('%');
  return withPrefix(before, prefix) + std::to_string(generation::grammarCacheBytes(int32_t(tokens))) +
         withPrefix(behind, prefix);
}

std::string emitGrammarSource(const GrammarTables &tables, const std::vector<std::string> &tokens, StringRef prefix) {
  const std::string name = prefix.str();
  std::string text = "// Made by sinter tokenizer; " + name +
                     ".h says what it does. C++17, no other library.\n#include \"" + name +
                     ".h\"\n\n#include <stddef.h>\n#include <stdint.h>\n\n";
  text += "namespace sinter_" + name + "_grammar {\n";
  for (const StringRef header : {"grammar_types.h", "grammar.h", "grammar_mask.h"})
    text += generationBody(grammar_headers::embedded, header);
  text += printGrammar(tables, "tables") + printTrie(trieOf(tokens), "vocabularyTrie");
  text += "} // namespace sinter_" + name + "_grammar\nusing namespace sinter_" + name + "_grammar;\n";
  return text + withPrefix(grammarFunctions, prefix);
}

} // namespace sinter::grammar
