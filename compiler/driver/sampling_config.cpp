// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each value of transformers' GenerationConfig is one or two words of the programs of runner/ (SamplingWords,
// BeamWords, TextLimit). A value that changes nothing is not said; one that no sampler takes, or that Sinter has no
// mechanism for, is said to be left out.
#include "driver/sampling_config.h"

#include "driver/config_file.h"
#include "driver/decoder_folder.h"
#include "driver/flags.h"
#include "runtime-lite/generation/beam_types.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {

/// Of what a number says something.
enum class Matters { Always, Draws, Beams };

struct NumberSetting {
  StringRef key, word;
  double neutral, least, most;
  Matters matters = Matters::Always;
  bool isWhole = false;
};
constexpr double mostCount = 1 << 30, greatest = 1e30, smallest = 1e-30;
constexpr NumberSetting numbers[] = {
    {"temperature", "--temperature", 1, smallest, greatest, Matters::Draws},
    {"top_k", "--top-k", 0, 0, mostCount, Matters::Draws, true},
    {"top_p", "--top-p", 1, 0, 1, Matters::Draws},
    {"min_p", "--min-p", 0, 0, 1, Matters::Draws},
    {"typical_p", "--typical-p", 1, smallest, 1, Matters::Draws},
    {"epsilon_cutoff", "--epsilon-cutoff", 0, 0, 1, Matters::Draws},
    {"eta_cutoff", "--eta-cutoff", 0, 0, 1, Matters::Draws},
    {"encoder_repetition_penalty", "--encoder-repetition-penalty", 1, smallest, greatest},
    {"repetition_penalty", "--repetition-penalty", 1, smallest, greatest},
    {"no_repeat_ngram_size", "--no-repeat-ngram", 0, 0, mostCount, Matters::Always, true},
    {"encoder_no_repeat_ngram_size", "--encoder-no-repeat-ngram", 0, 0, mostCount, Matters::Always, true},
    {"min_length", "--min-length", 0, 0, mostCount, Matters::Always, true},
    {"min_new_tokens", "--min-new-tokens", 0, 0, mostCount, Matters::Always, true},
    {"max_length", "--max-length", 0, 1, mostCount, Matters::Always, true},
    {"max_new_tokens", "--tokens", 0, 1, mostCount, Matters::Always, true}, // behind max_length, before which it goes
    {"length_penalty", "--length-penalty", 1, -16, 16, Matters::Beams},     // a power of lengths: floats end beyond it
};

struct ListSetting {
  StringRef key, word;
  bool isOfEdges; ///< of how a text begins or ends
};
constexpr ListSetting lists[] = {{"forced_bos_token_id", "--forced-bos", true},
                                 {"forced_eos_token_id", "--forced-eos", true},
                                 {"suppress_tokens", "--suppress", false},
                                 {"begin_suppress_tokens", "--begin-suppress", true}};

/// What would change texts and is not taken.
struct OtherSetting {
  StringRef key;
  double neutral;
  StringRef why = "Sinter has no such setting";
};
constexpr OtherSetting others[] = {
    {"num_return_sequences", 1},
    {"num_beam_groups", 1, "groups are on request, by --beam-groups"},
    {"diversity_penalty", 0, "groups are on request, by --beam-groups and --diversity-penalty"},
    {"guidance_scale", 1},
    {"penalty_alpha", 0, "contrastive search is on request, by --penalty-alpha and --top-k"},
    {"stop_strings", 0, "--stop-text TEXT ends a text at one"},
    {"force_words_ids", 0},
    {"constraints", 0},
    {"max_time", 0},
    {"token_healing", 0},
    {"watermarking_config", 0},
    {"dola_layers", 0},
    {"top_h", 0},
    {"sequence_bias", 0},
    {"exponential_decay_length_penalty", 0}};

class SamplingReading {
public:
  SamplingReading(StringRef model, const SettledSampling &settled) : settled(settled) {
    if (!settled.file.empty()) {
      StringRef folder = sys::path::parent_path(settled.file);
      add(folder.empty() ? "." : folder, sys::path::filename(settled.file), "");
      return;
    }
    std::string folder = configFolderOf(model);
    add(folder, "genai_config.json", "search");
    if (!add(folder, "generation_config.json", ""))
      add(folder, "config.json", "");
    add(folder, "genai_config.json", "model"); // of an encoder-decoder, what its texts begin with
  }
  bool isEmpty() const { return files.empty(); }

  SamplingConfig read() {
    bool draws = addDraws(), beams = addBeams();
    for (const NumberSetting &setting : numbers)
      if (setting.matters == Matters::Always || (setting.matters == Matters::Draws ? draws : beams))
        addNumber(setting);
    for (const ListSetting &setting : lists)
      if (!settled.hasGrammar || !setting.isOfEdges)
        addList(setting);
    addBadWords();
    if (Found invalid = find("remove_invalid_values"); isTrue(invalid))
      addSwitch(invalid, "--remove-invalid-values");
    if (Found normal = find("renormalize_logits"); isTrue(normal) && beams)
      take(normal, "--renormalize-logits", "1", "true");
    if (Found ends = find("eos_token_id"); ends && !isOfIds(*ends.value)) // what ends a text is read elsewhere
      leaveOut(ends, noIds);
    for (const OtherSetting &other : others)
      if (Found found = find(other.key); found && !isNeutral(*found.value, other.neutral))
        leaveOut(found, other.why);
    SamplingConfig config{std::move(words), ""};
    for (const File &file : files)
      if (!file.taken.empty())
        config.said += file.name + " says " + file.taken + "; flags go before it\n";
    config.said += left;
    return config;
  }

private:
  struct File {
    std::string name;
    json::Object values;
    std::string taken;
  };

  bool add(StringRef folder, StringRef name, StringRef part) {
    std::optional<json::Value> file = readConfig(folder, name);
    json::Object *values = file ? file->getAsObject() : nullptr;
    if (values && !part.empty())
      values = values->getObject(part);
    if (values)
      files.push_back({name.str(), std::move(*values), ""});
    return values;
  }

  struct Found {
    StringRef key;
    const json::Value *value = nullptr;
    File *file = nullptr;
    explicit operator bool() const { return value; }
    const json::Value *operator->() const { return value; }
  };
  /// Of the first file that has it; null is as good as absent.
  Found find(StringRef key) {
    for (File &file : files)
      if (const json::Value *value = file.values.get(key); value && value->kind() != json::Value::Null)
        return {key, value, &file};
    return {};
  }

  void take(const Found &found, StringRef word, StringRef value, StringRef said) {
    words.insert(words.end(), {word.str(), value.str()});
    say(found, said);
  }
  /// A word without a value, unless the user has said it or its opposite.
  void addSwitch(const Found &found, StringRef word) {
    if (any_of(settled.given, [&](StringRef given) { return given.split('=').first == word; }))
      return;
    words.push_back(word.str());
    say(found, "true");
  }
  void say(const Found &found, StringRef said) {
    std::string &taken = found.file->taken;
    taken += (taken.empty() ? "" : ", ") + found.key.str() + " " + said.str();
  }
  void leaveOut(const Found &found, const Twine &why) {
    constexpr size_t longest = 40;
    std::string text = textOf(*found.value);
    if (text.size() > longest)
      text = text.substr(0, longest) + "...";
    left += (found.file->name + ": " + found.key + " " + text + " is left out: " + why + "\n").str();
  }
  bool isGiven(StringRef word) const { return is_contained(settled.given, word); }
  static std::string textOf(const json::Value &value) {
    std::string text;
    raw_string_ostream(text) << value;
    return text;
  }

  static constexpr StringRef noIds = "it is no token, nor a list of them";
  /// A token or a list of tokens, each of which idsOf takes.
  static bool isOfIds(const json::Value &value) {
    const json::Array *list = value.getAsArray();
    return idsOf(&value).size() == (list ? list->size() : 1);
  }

  static bool isNeutral(const json::Value &value, double neutral) {
    const json::Array *list = value.getAsArray();
    return value.getAsNumber() == neutral || value.getAsBoolean() == false || (list && list->empty());
  }

  bool isTrue(const Found &found) {
    if (found && !found->getAsBoolean())
      leaveOut(found, "it is neither true nor false");
    return found && found->getAsBoolean().value_or(false);
  }

  /// transformers draws among 50 tokens unless a number says otherwise.
  bool addDraws() {
    Found wish = find("do_sample"), temperature = find("temperature");
    bool isSurest = temperature && temperature->getAsNumber() == 0.0; // to ONNX Runtime GenAI
    bool wants = isTrue(wish) && !isSurest && !settled.isSurest;
    if (settled.draws || !wants || settled.beams.value_or(1) > 1)
      return settled.draws;
    take(wish, "--do-sample", "1", "true");
    if (!find("top_k"))
      words.insert(words.end(), {"--top-k", "50"});
    return true;
  }

  bool addBeams() {
    constexpr int64_t most = 64;
    if (Found stopping = find("early_stopping");
        stopping && !stopping->getAsBoolean() && stopping->getAsString() != StringRef("never")) {
      leaveOut(stopping, "it is neither true, false nor \"never\"");
    } else if (stopping) {
      int way = stopping->getAsString() == StringRef("never") ? SINTER_STOP_NEVER_EARLY
                : stopping->getAsBoolean().value_or(false)    ? SINTER_STOP_WHEN_FULL
                                                              : SINTER_STOP_HEURISTIC;
      words.insert(words.end(), {"--early-stopping", std::to_string(way)});
    }
    if (settled.beams)
      return settled.beams > 1;
    Found beams = find("num_beams");
    std::optional<int64_t> count = beams ? beams->getAsInteger() : std::nullopt;
    if (beams && !count)
      leaveOut(beams, noNumber);
    if (!count || *count <= 1)
      return false;
    if (*count > most || settled.hasOneText) {
      leaveOut(beams, settled.hasOneText ? "what the command line asks for goes with no beams" : "64 are the most");
      return false;
    }
    take(beams, "--beams", std::to_string(*count), std::to_string(*count));
    return true;
  }

  static constexpr StringRef noNumber = "it is no such number";

  void addNumber(const NumberSetting &setting) {
    Found found = find(setting.key);
    bool isLimit = setting.word == "--max-length" || setting.word == "--tokens";
    if (!found || isGiven(setting.word) || (isLimit && isGiven("--tokens")))
      return;
    std::optional<double> number = found->getAsNumber();
    if (number == setting.neutral)
      return;
    if (!number || !(*number >= setting.least && *number <= setting.most) ||
        (setting.isWhole && !found->getAsInteger()))
      return leaveOut(found, noNumber);
    take(found, setting.word, textOf(*found.value), textOf(*found.value));
  }

  void addList(const ListSetting &setting) {
    Found found = find(setting.key);
    std::vector<int64_t> ids = idsOf(found.value);
    if (found && !isOfIds(*found.value))
      leaveOut(found, noIds);
    else if (ids.size() > mostIds)
      leaveOut(found, "there are more than " + Twine(mostIds) + " of them");
    else if (!ids.empty())
      take(found, setting.word, listOf(ids), ids.size() > fewIds ? countOf(ids.size()) : listOf(ids));
  }

  /// [[5, 7], [9]]: runs that never come. As in transformers, a token that ends a text is none of them.
  void addBadWords() {
    Found found = find("bad_words_ids");
    const json::Array *runs = found ? found->getAsArray() : nullptr;
    if (found && (!runs || any_of(*runs, [](const json::Value &run) { return !run.getAsArray() || !isOfIds(run); })))
      return leaveOut(found, "it is no list of lists of tokens");
    std::string text;
    size_t count = 0, tokens = 0;
    for (size_t i = 0; runs && i < runs->size(); ++i) {
      std::vector<int64_t> ids = idsOf(&(*runs)[i]);
      if (ids.empty() || (ids.size() == 1 && is_contained(settled.ends, ids.front())))
        continue;
      ++count, tokens += ids.size();
      text += (text.empty() ? "" : ";") + listOf(ids);
    }
    if (tokens > mostIds)
      leaveOut(found, "they are more than " + Twine(mostIds) + " tokens");
    else if (count)
      take(found, "--bad-words", text, countOf(count));
  }

  static std::string listOf(ArrayRef<int64_t> ids) {
    return join(map_range(ids, [](int64_t id) { return std::to_string(id); }), ",");
  }
  static std::string countOf(size_t count) { return "(" + std::to_string(count) + ")"; }

  static constexpr size_t mostIds = 4096, fewIds = 4; // a word of a command line has an end
  const SettledSampling &settled;
  std::vector<File> files;
  std::vector<std::string> words;
  std::string left;
};
} // namespace

std::optional<SamplingConfig> samplingConfigBeside(StringRef model, const SettledSampling &settled) {
  if (settled.file == "none")
    return SamplingConfig();
  SamplingReading reading(model, settled);
  if (!settled.file.empty() && reading.isEmpty()) {
    printError("--generation-config " + settled.file + " is no object of JSON",
               "--generation-config none does without");
    return std::nullopt;
  }
  return reading.read();
}

} // namespace sinter
