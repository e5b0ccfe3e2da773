// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/slow_classes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace sinter::tokenizer {
namespace {
// clang-format off
constexpr SlowClass slowClasses[] = {
    // name, ids, bos, eos, unk, sep, pad, cls, mask, in front, eos behind, once, add_bos_token, legacy, strips
    {"T5Tokenizer", PieceNumbers::OfFile, "", "</s>", "<unk>", "", "<pad>", "", "", "", true, true, false, true, true},
    {"LlamaTokenizer", PieceNumbers::OfFile, "<s>", "</s>", "<unk>", "", "", "", "", "<s>", false, false, true, true, false},
    {"GemmaTokenizer", PieceNumbers::OfFile, "<bos>", "<eos>", "<unk>", "", "<pad>", "", "", "<bos>", false, false, true, false, false},
    {"XLMRobertaTokenizer", PieceNumbers::OfFairseq, "<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>", "<s>", true, false, false, false, true},
    {"MarianTokenizer", PieceNumbers::OfVocabulary, "", "</s>", "<unk>", "", "<pad>", "", "", "", true, false, false, false, true},
};
// clang-format on
} // namespace

const SlowClass *slowClassOf(StringRef name) {
  name.consume_back("Fast");
  if (name == "MT5Tokenizer")
    name = "T5Tokenizer";
  for (const SlowClass &each : slowClasses)
    if (each.name == name)
      return &each;
  return nullptr;
}

std::string slowClassNames() {
  std::string names;
  for (const SlowClass &each : slowClasses)
    names += (names.empty() ? "" : ", ") + each.name.str();
  return names;
}

StringRef slowClassOfModel(StringRef modelType) {
  return StringSwitch<StringRef>(modelType)
      .Cases("t5", "mt5", "umt5", "T5Tokenizer")
      .Cases("llama", "mistral", "LlamaTokenizer")
      .Cases("gemma", "gemma2", "GemmaTokenizer")
      .Cases("xlm-roberta", "xlm-roberta-xl", "XLMRobertaTokenizer")
      .Case("marian", "MarianTokenizer")
      .Cases("mbart", "m2m_100", "MBartTokenizer or M2M100Tokenizer")
      .Cases("pegasus", "pegasus_x", "PegasusTokenizer")
      .Case("albert", "AlbertTokenizer")
      .Case("camembert", "CamembertTokenizer")
      .Cases("deberta-v2", "deberta-v3", "DebertaV2Tokenizer")
      .Case("xlnet", "XLNetTokenizer")
      .Case("xglm", "XGLMTokenizer")
      .Case("big_bird", "BigBirdTokenizer")
      .Case("rembert", "RemBertTokenizer")
      .Default("");
}

} // namespace sinter::tokenizer
