// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transformers' order: a language or task, by flag or in the file, replaces the older list of forced tokens; a model of
// several languages that is told none finds out which it hears.
#include "driver/generation_config.h"

#include "driver/config_file.h"
#include "driver/decoder_folder.h"
#include "driver/flags.h"
#include "runtime-lite/generation/word_times.h"

using namespace llvm;

namespace sinter {
namespace {

class Reading {
public:
  Reading(StringRef model, const SpeechWish &wish) : model(model), wish(wish) {
    std::string folder = configFolderOf(model);
    for (StringRef name : {"generation_config.json", "config.json"})
      if (std::optional<json::Value> file = readConfig(folder, name))
        if (file->getAsObject())
          files.push_back(std::move(*file));
    if (std::optional<json::Value> file = readConfig(folder, "genai_config.json"))
      if (json::Object *object = file->getAsObject())
        if (json::Object *told = object->getObject("model"))
          files.push_back(std::move(*told));
  }

  std::optional<GenerationConfig> read() {
    config.begin = idsOf(find("decoder_start_token_id"));
    if (config.begin.empty())
      config.begin = idsOf(find("bos_token_id"));
    if (config.begin.size() != 1) {
      printError("no configuration beside " + model + " says which token a text begins with",
                 "generation_config.json has it as decoder_start_token_id");
      return std::nullopt;
    }
    addAlignment();
    if (!addSpeech())
      return std::nullopt;
    return config;
  }

private:
  /// Of the first file that has it; null is as good as absent.
  const json::Value *find(StringRef key) const {
    for (const json::Value &file : files)
      if (const json::Value *value = file.getAsObject()->get(key); value && value->kind() != json::Value::Null)
        return value;
    return nullptr;
  }
  std::string text(StringRef key) const {
    const json::Value *value = find(key);
    std::optional<StringRef> string = value ? value->getAsString() : std::nullopt;
    return string ? string->str() : "";
  }
  const json::Object *table(StringRef key) const {
    const json::Value *value = find(key);
    return value ? value->getAsObject() : nullptr;
  }

  bool fail(const Twine &what, const json::Object *known) const {
    std::string hint = known ? "it knows" : "its generation_config.json has no list of them";
    std::vector<StringRef> names;
    if (known)
      for (const auto &entry : *known)
        names.push_back(entry.first);
    llvm::sort(names);
    for (StringRef name : names)
      hint += " " + name.str();
    printError(what, hint);
    return false;
  }

  /// [[2, 2], [3, 0]]: layers and heads. What is none of it is left out, as a filter of another kind is.
  void addAlignment() {
    constexpr size_t most = 1024;
    const json::Value *value = find("alignment_heads");
    if (const json::Array *list = value ? value->getAsArray() : nullptr)
      for (const json::Value &each : *list)
        if (std::vector<int64_t> pair = idsOf(&each); pair.size() == 2 && config.alignmentHeads.size() < most)
          config.alignmentHeads.emplace_back(pair[0], pair[1]);
    const json::Value *width = find("median_filter_width");
    if (std::optional<int64_t> steps = width ? width->getAsInteger() : std::nullopt;
        steps && *steps > 0 && *steps <= sinter::kWidestFilter && *steps % 2 == 1)
      config.medianFilter = *steps;
  }

  bool addSpeech() {
    const json::Object *languages = table("lang_to_id"), *tasks = table("task_to_id");
    if (languages)
      for (const auto &entry : *languages)
        llvm::append_range(config.languages, idsOf(&entry.second));
    llvm::sort(config.languages);
    for (StringRef name : {"<|zh|>", "<|ja|>", "<|th|>", "<|lo|>", "<|my|>", "<|yue|>"})
      if (languages)
        llvm::append_range(config.blankless, idsOf(languages->get(name)));
    std::string language = wish.language.empty() ? text("language") : wish.language;
    std::string task = wish.task.empty() ? text("task") : wish.task;
    if (language.empty() && task.empty())
      addForced();
    if (!language.empty()) {
      std::string token = StringRef(language).starts_with("<|") ? language : "<|" + language + "|>";
      std::vector<int64_t> id = idsOf(languages ? languages->get(token) : nullptr);
      if (id.size() != 1)
        return fail("the model knows no language '" + language + "'", languages);
      setLanguage(id.front());
    } else if (!config.languages.empty() && config.begin.size() == 1) {
      config.begin.push_back(-1);
    }
    if (!task.empty() || (config.begin.size() == 2 && tasks && languages)) {
      if (task.empty())
        task = "transcribe";
      std::vector<int64_t> id = idsOf(tasks ? tasks->get(task) : nullptr);
      if (id.size() != 1)
        return fail("the model knows no task '" + task + "'", tasks);
      config.begin.push_back(id.front());
    }
    if (std::vector<int64_t> plain = idsOf(find("no_timestamps_token_id")); plain.size() == 1) {
      config.withoutTimes = plain.front();
      llvm::erase(config.begin, plain.front());
    }
    if (std::vector<int64_t> latest = idsOf(find("max_initial_timestamp_index")); latest.size() == 1)
      config.latestBegin = latest.front();
    return true;
  }

  void setLanguage(int64_t id) {
    if (config.begin.size() > 1)
      config.begin[1] = id;
    else
      config.begin.push_back(id);
  }

  /// [[1, 50259], [2, 50359]]: places and tokens; null is the language.
  void addForced() {
    const json::Value *value = find("forced_decoder_ids");
    const json::Array *list = value ? value->getAsArray() : nullptr;
    if (!list)
      return;
    for (const json::Value &each : *list) {
      const json::Array *pair = each.getAsArray();
      if (!pair || pair->size() != 2 || (*pair)[0].getAsInteger() != static_cast<int64_t>(config.begin.size()))
        return;
      std::vector<int64_t> id = idsOf(&(*pair)[1]);
      if (id.empty() && config.languages.empty())
        return;
      config.begin.push_back(id.empty() ? -1 : id.front());
    }
  }

  StringRef model;
  const SpeechWish &wish;
  std::vector<json::Value> files;
  GenerationConfig config;
};
} // namespace

std::optional<GenerationConfig> generationConfigBeside(StringRef model, const SpeechWish &wish) {
  return Reading(model, wish).read();
}

} // namespace sinter
