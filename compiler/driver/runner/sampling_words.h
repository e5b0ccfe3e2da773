// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs are told of choosing tokens, as words: a name and a value, or a switch alone. A model's configuration
// comes first, and its user's words behind it, so that these win. The library's sampler
// (runtime-lite/generation/sampler.h) is written beside this file.
#pragma once

#include "sampling_ranges.h"
#include "session_program.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

/// Ends for the sake of a setting that is none, or of its value.
[[noreturn]] inline void endWithSetting(const std::string &name, const std::string &value) {
  const sinter::SettingWord *setting = sinter::settingOf(name);
  endWith((name + " " + value + " is no setting of this model's sampler").c_str(),
          setting ? (std::string("it takes ") + setting->values).c_str()
                  : "`sinter generate --help` lists those that are");
}

/// Ends where a configuration names a token that the model has not: it may be that of another model.
inline void requireOfModel(int64_t id) {
  if (id >= SIZE(_SESSION_VOCABULARY))
    endWith(("the configuration names the token " + std::to_string(id) + ", and the model has " +
             std::to_string(SIZE(_SESSION_VOCABULARY)))
                .c_str(),
            "is it that of another model? generation_config.json beside the model has such tokens");
}

/// The same of a token that a word names: a user's, or the one that says what a configuration has.
inline void requireOfModel(int64_t id, const std::string &name) {
  if (id >= SIZE(_SESSION_VOCABULARY))
    endWith(
        (name + " names the token " + std::to_string(id) + ", and the model's tokens are 0 to " +
         std::to_string(SIZE(_SESSION_VOCABULARY) - 1))
            .c_str(),
        ("it stands behind " + name + ", or in generation_config.json beside the model: is one of them for another?")
            .c_str());
}

/// Tokens with commas between them, which are places in rows of logits; false: some is none. `name`: of the word.
inline bool takeTokens(const std::string &name, const char *text, std::vector<int32_t> &ids) {
  ids.clear();
  while (*text) {
    char *end = nullptr;
    const long long id = std::strtoll(text, &end, 10);
    if (end == text || id < 0 || (*end && *end != ','))
      return false;
    requireOfModel(id, name);
    ids.push_back(static_cast<int32_t>(id));
    text = *end ? end + 1 : end;
  }
  return !ids.empty();
}

/// Those that are places in rows of logits.
template <class Ids>
std::vector<int32_t> tokensOfModel(const Ids &ids) {
  std::vector<int32_t> own;
  for (const auto id : ids)
    if (id >= 0 && id < SIZE(_SESSION_VOCABULARY))
      own.push_back(static_cast<int32_t>(id));
  return own;
}

/// Settings of the sampler: those of drawing draw, of which a temperature of 0 is the surest, as elsewhere. With
/// --penalty-alpha nothing is drawn, and --top-k says how many tokens contrastive search looks at.
class SamplingWords {
public:
  /// A word without a value; false: it is none.
  bool takeSwitch(const std::string &word) {
    const std::string name = "--remove-invalid-values";
    if (word != name && word != name + "=true" && word != name + "=false")
      return false;
    settings.remove_invalid_values = word != name + "=false";
    return true;
  }
  /// False: it is none of these, or its value is none.
  bool take(const std::string &name, const char *value) {
    if (const sinter::SettingWord *setting = sinter::settingOf(name); !setting || !sinter::takesValue(*setting, value))
      return false;
    if (name == "--logit-bias")
      return takeBias(value);
    if (name == "--bad-words")
      return takeRuns(value);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
      if (name == lists[i].name)
        return takeTokens(name, value, ids[i]);
    const double number = std::strtod(value, nullptr);
    if (name == "--seed")
      return settings.seed = std::strtoull(value, nullptr, 10), draws = true;
    if (name == "--do-sample")
      return draws = number != 0, true;
#if SIZE(_SESSION_HIDDEN)
    if (name == "--penalty-alpha")
      return alpha = number, true;
#endif
    for (const auto &each : integers)
      if (name == each.name)
        return settings.*each.member = static_cast<int32_t>(number), draws |= each.draws, true;
    for (const auto &each : doubles)
      if (name == each.name)
        return settings.*each.member = number, true;
    for (const auto &each : floats)
      if (name == each.name)
        return settings.*each.member = static_cast<float>(number), draws |= each.draws,
               isSurest = name == "--temperature" ? number == 0 : isSurest, keepBest(name), true;
    return false;
  }
  /// It ends with this.
  sinter_sampler all() const {
    sinter_sampler made = settings;
    made.do_sample = draws && !isSurest && !(alpha > 0);
    made.sequence_bias = {biased.data(), biasedEnds.data(), static_cast<int32_t>(biased.size())};
    made.sequence_bias_values = biases.data();
    made.bad_words = {bad.data(), badEnds.data(), static_cast<int32_t>(badEnds.size())};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
      made.*lists[i].member = {ids[i].data(), static_cast<int32_t>(ids[i].size())};
    return made;
  }

  /// How much likeness counts; 0: tokens are chosen by their scores alone.
  double penaltyAlpha() const { return alpha; }

private:
  template <class Member>
  struct Setting {
    const char *name;
    Member sinter_sampler::*member;
    bool draws;
  };
  static constexpr Setting<float> floats[] = {{"--temperature", &sinter_sampler::temperature, true},
                                              {"--top-p", &sinter_sampler::top_p, true},
                                              {"--min-p", &sinter_sampler::min_p, true},
                                              {"--typical-p", &sinter_sampler::typical_p, true},
                                              {"--epsilon-cutoff", &sinter_sampler::epsilon_cutoff, true},
                                              {"--eta-cutoff", &sinter_sampler::eta_cutoff, true},
                                              {"--repetition-penalty", &sinter_sampler::repetition_penalty, false},
                                              {"--presence-penalty", &sinter_sampler::presence_penalty, false},
                                              {"--frequency-penalty", &sinter_sampler::frequency_penalty, false},
                                              {"--diversity-penalty", &sinter_sampler::diversity_penalty, false}};
  static constexpr Setting<double> doubles[] = {
      {"--encoder-repetition-penalty", &sinter_sampler::encoder_repetition_penalty, false}};
  static constexpr Setting<int32_t> integers[] = {
      {"--top-k", &sinter_sampler::top_k, true},
      {"--no-repeat-ngram", &sinter_sampler::no_repeat_ngram_size, false},
      {"--encoder-no-repeat-ngram", &sinter_sampler::encoder_no_repeat_ngram_size, false},
      {"--min-length", &sinter_sampler::min_length, false},
      {"--min-new-tokens", &sinter_sampler::min_new_tokens, false},
      {"--renormalize-logits", &sinter_sampler::renormalize_logits, false}};
  static constexpr Setting<sinter_ids> lists[] = {{"--forced-bos", &sinter_sampler::forced_bos, false},
                                                  {"--forced-eos", &sinter_sampler::forced_eos, false},
                                                  {"--suppress", &sinter_sampler::suppress, false},
                                                  {"--begin-suppress", &sinter_sampler::begin_suppress, false}};

  /// The library's settings of 0 do nothing; a share of 0 is that of the likeliest token, as in transformers.
  void keepBest(const std::string &name) {
    if (name == "--top-p" && settings.top_p == 0)
      settings.top_p = static_cast<float>(sinter::smallestSetting);
  }

  bool takeBias(const char *text) {
    biased.clear(), biasedEnds.clear(), biases.clear();
    while (*text) {
      char *end = nullptr;
      const long id = std::strtol(text, &end, 10);
      if (end == text || *end != '=' || id < 0)
        return false;
      requireOfModel(id, "--logit-bias");
      text = end + 1;
      const float bias = std::strtof(text, &end);
      if (end == text || (*end && *end != ','))
        return false;
      biased.push_back(static_cast<int32_t>(id));
      biasedEnds.push_back(static_cast<int32_t>(biased.size()));
      biases.push_back(bias);
      text = *end ? end + 1 : end;
    }
    return !biased.empty();
  }
  /// 5,7;9: one run behind the other.
  bool takeRuns(const std::string &text) {
    bad.clear(), badEnds.clear();
    for (size_t from = 0; from <= text.size();) {
      const size_t end = text.find(';', from), to = end == std::string::npos ? text.size() : end;
      std::vector<int32_t> run;
      if (!takeTokens("--bad-words", text.substr(from, to - from).c_str(), run))
        return false;
      bad.insert(bad.end(), run.begin(), run.end());
      badEnds.push_back(static_cast<int32_t>(bad.size()));
      from = to + 1;
    }
    return true;
  }

  sinter_sampler settings = {};
  std::vector<int32_t> ids[sizeof lists / sizeof *lists];
  std::vector<int32_t> biased, biasedEnds, bad, badEnds; ///< a bias is of sequences of one token
  std::vector<float> biases;
  bool draws = false, isSurest = false;
  double alpha = 0;
};

/// How many texts are searched for, and how they are compared.
struct BeamWords {
  int32_t count = 1, groups = 1;
  float lengthPenalty = 1;
  sinter_early_stopping stopping = SINTER_STOP_HEURISTIC;

  bool areOn() const { return count > 1; }
  bool take(const std::string &name, const char *value) {
    const sinter::SettingWord *setting = sinter::settingOf(name);
    if (!setting || !sinter::takesValue(*setting, value))
      return false;
    const int number = std::atoi(value);
    if (name == "--beams")
      return count = number, true;
    if (name == "--beam-groups")
      return groups = number, true;
    if (name == "--early-stopping")
      return stopping = static_cast<sinter_early_stopping>(number), true;
    if (name == "--length-penalty")
      return lengthPenalty = std::strtof(value, nullptr), true;
    return false;
  }
};

/// Where texts end at the latest: behind so many tokens, or where they have so many with those that they go on from.
struct TextLimit {
  long tokens = 256, length = 0;

  bool take(const std::string &name, const char *value) {
    const sinter::SettingWord *setting = sinter::settingOf(name);
    if (!setting || !sinter::takesValue(*setting, value))
      return false;
    const long number = std::atol(value);
    if (name == "--tokens")
      return tokens = number, length = 0, true;
    if (name == "--max-length")
      return length = number < SIZE(_SESSION_CONTEXT) ? number : SIZE(_SESSION_CONTEXT) + 1, true;
    return false;
  }
  /// How many may follow a text of `begun` tokens.
  long behind(size_t begun) const {
    if (!length)
      return tokens;
    if (static_cast<long>(begun) >= length)
      endWith(("the configuration's max_length is " + std::to_string(length) + " tokens, and the text has " +
               std::to_string(begun) + " already: --tokens says how many may follow")
                  .c_str(),
              "--tokens 32, or a shorter text");
    return length - static_cast<long>(begun);
  }
};
