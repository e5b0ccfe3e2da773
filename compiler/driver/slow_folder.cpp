// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/slow_folder.h"

#include "driver/answer.h"
#include "driver/config_file.h"
#include "support/bounded_json.h"
#include "support/given_file.h"
#include "tokenizer/slow_classes.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter {
namespace {

std::string besideTokenizer(StringRef path, StringRef name) {
  SmallString<128> beside(sys::path::parent_path(path));
  sys::path::append(beside, name);
  return beside.str().str();
}

/// The object of a file, an empty one where there is no file. False after a message.
bool readObjectBeside(StringRef path, StringRef name, json::Object &object, bool &isThere) {
  const std::string file = besideTokenizer(path, name);
  isThere = sys::fs::is_regular_file(file);
  if (!isThere)
    return true;
  Expected<std::unique_ptr<MemoryBuffer>> bytes = readGiven(file, tokenizer::largestFile);
  if (!bytes) {
    printError(toString(bytes.takeError()));
    return false;
  }
  std::string problem = "it is no object";
  if ((*bytes)->getBufferSize() > tokenizer::largestFile)
    problem = "it is larger than 256 MiB";
  else if (Expected<json::Value> value = parseBoundedJson((*bytes)->getBuffer()); !value)
    problem = toString(value.takeError());
  else if (json::Object *found = value->getAsObject()) {
    object = std::move(*found);
    return true;
  }
  printError(file + ": " + problem, "it says which tokens " + path.str() + " has besides its own");
  return false;
}

/// The class that the files name, or the file's name tells; else that of the model.
std::string classOf(StringRef path, const json::Object &config, bool hasFiles, bool hasVocabulary) {
  if (std::optional<StringRef> name = config.getString("tokenizer_class"))
    return name->str();
  std::optional<json::Value> model = readConfig(besideTokenizer(path, ""), "config.json");
  const json::Object *object = model ? model->getAsObject() : nullptr;
  std::optional<StringRef> named = object ? object->getString("tokenizer_class") : std::nullopt;
  std::optional<StringRef> type = object ? object->getString("model_type") : std::nullopt;
  if (named)
    return named->str();
  const StringRef file = sys::path::filename(path);
  if ((file == "source.spm" || file == "target.spm") && hasVocabulary)
    return "MarianTokenizer";
  // tokenizer.model by itself is a file of SentencePiece alone, as exporters of other makers write it.
  return type && (hasFiles || file != "tokenizer.model") ? tokenizer::slowClassOfModel(*type).str() : "";
}

} // namespace

ExitStatus findSlowFiles(StringRef path, tokenizer::SlowFiles &files) {
  bool hasConfig = false, hasSpecials = false, hasAdded = false, hasVocabulary = false;
  json::Object vocabulary;
  if (!readObjectBeside(path, "tokenizer_config.json", files.config, hasConfig) ||
      !readObjectBeside(path, "special_tokens_map.json", files.specials, hasSpecials) ||
      !readObjectBeside(path, "added_tokens.json", files.added, hasAdded))
    return ExitUsage;
  hasVocabulary = sys::fs::is_regular_file(besideTokenizer(path, "vocab.json"));
  files.className = classOf(path, files.config, hasConfig || hasSpecials || hasAdded, hasVocabulary);
  // Of tokenizer.model the tokens that it has itself are most that there are.
  if (files.className.empty() && (hasConfig || hasAdded) && sys::path::filename(path) != "tokenizer.model") {
    printError(path + ": nothing says which class of transformers makes ids of it",
               "tokenizer_config.json has it as tokenizer_class; " + tokenizer::slowClassNames() + " are known");
    return ExitUsage;
  }
  const tokenizer::SlowClass *kind = tokenizer::slowClassOf(files.className);
  if (!kind || kind->numbers != tokenizer::PieceNumbers::OfVocabulary)
    return ExitOk;
  if (!readObjectBeside(path, "vocab.json", vocabulary, hasVocabulary))
    return ExitUsage;
  if (hasVocabulary)
    files.vocabulary = std::move(vocabulary);
  const std::string target = besideTokenizer(path, "target.spm");
  if (!sys::fs::exists(target))
    return ExitOk;
  Expected<std::unique_ptr<MemoryBuffer>> bytes = readGiven(target, tokenizer::largestFile);
  if (!bytes) {
    printError(toString(bytes.takeError()));
    return ExitUsage;
  }
  files.target = (*bytes)->getBuffer().str();
  return ExitOk;
}

void printNoTokenizer(StringRef model) {
  std::string found;
  const std::string folders[] = {sys::path::parent_path(model).str(), configFolderOf(model)};
  for (StringRef name : {"vocab.json", "merges.txt", "vocab.txt"})
    if (any_of(folders, [&](StringRef folder) {
          SmallString<128> path(folder);
          sys::path::append(path, name);
          return sys::fs::is_regular_file(path);
        }))
      found += (found.empty() ? "" : ", ") + name.str();
  if (found.empty())
    return printError("no tokenizer lies beside " + model, "--tokenizer tokenizer.json names it");
  printError("no tokenizer that is read lies beside " + model + ", only " + found,
             "AutoTokenizer.from_pretrained(FOLDER, use_fast=True).save_pretrained(FOLDER) of transformers makes "
             "tokenizer.json of it");
}

} // namespace sinter
