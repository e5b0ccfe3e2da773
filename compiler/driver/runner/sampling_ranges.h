// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Settings of choosing tokens by their words, and what values each takes. `sinter generate` and `sinter chat` look here
// before anything is built, and the programs that they make look here again; so this needs nothing of either.
#pragma once

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace sinter {

enum class SettingKind { Whole, Number, NumberOrZero, Biases, Tokens, Runs };

struct SettingWord {
  const char *name;
  const char *shown;  ///< in help, in place of a value
  const char *values; ///< what a message says that it takes
  SettingKind kind;
  double least = 0, most = 0;
};

constexpr double mostSettingCount = 2147483647, mostTextTokens = 1 << 30, mostBeams = 64;
constexpr double smallestSetting = 1e-30, greatestSetting = 1e30;

#define SINTER_COUNT "a whole number from 0 to 2147483647"
#define SINTER_SHARE "a number from 0 to 1"
#define SINTER_POSITIVE "a number from 1e-30 to 1e30"
#define SINTER_ANY "a number from -1e30 to 1e30"
#define SINTER_IDS "tokens of the model with commas between them: 5,7"
constexpr SettingWord settingWords[] = {
    {"--tokens", "N", "a whole number from 1 to 1073741824", SettingKind::Whole, 1, mostTextTokens},
    {"--max-length", "N", "a whole number from 1 to 1073741824", SettingKind::Whole, 1, mostTextTokens},
    {"--temperature", "T", "0, or " SINTER_POSITIVE, SettingKind::NumberOrZero, smallestSetting, greatestSetting},
    {"--top-k", "N", SINTER_COUNT, SettingKind::Whole, 0, mostSettingCount},
    {"--top-p", "P", SINTER_SHARE, SettingKind::Number, 0, 1},
    {"--min-p", "P", SINTER_SHARE, SettingKind::Number, 0, 1},
    {"--typical-p", "P", "a number from 1e-30 to 1", SettingKind::Number, smallestSetting, 1},
    {"--epsilon-cutoff", "P", SINTER_SHARE, SettingKind::Number, 0, 1},
    {"--eta-cutoff", "P", SINTER_SHARE, SettingKind::Number, 0, 1},
    {"--penalty-alpha", "A", SINTER_SHARE, SettingKind::Number, 0, 1},
    {"--repetition-penalty", "R", SINTER_POSITIVE, SettingKind::Number, smallestSetting, greatestSetting},
    {"--encoder-repetition-penalty", "R", SINTER_POSITIVE, SettingKind::Number, smallestSetting, greatestSetting},
    {"--presence-penalty", "R", SINTER_ANY, SettingKind::Number, -greatestSetting, greatestSetting},
    {"--frequency-penalty", "R", SINTER_ANY, SettingKind::Number, -greatestSetting, greatestSetting},
    {"--no-repeat-ngram", "N", SINTER_COUNT, SettingKind::Whole, 0, mostSettingCount},
    {"--encoder-no-repeat-ngram", "N", SINTER_COUNT, SettingKind::Whole, 0, mostSettingCount},
    {"--min-length", "N", SINTER_COUNT, SettingKind::Whole, 0, mostSettingCount},
    {"--min-new-tokens", "N", SINTER_COUNT, SettingKind::Whole, 0, mostSettingCount},
    {"--logit-bias", "ID=BIAS,...", "tokens of the model, and numbers from -1e30 to 1e30 or -inf: 5=-2.5,7=3",
     SettingKind::Biases},
    {"--suppress", "ID,...", SINTER_IDS, SettingKind::Tokens},
    {"--begin-suppress", "ID,...", SINTER_IDS, SettingKind::Tokens},
    {"--forced-bos", "ID", SINTER_IDS, SettingKind::Tokens},
    {"--forced-eos", "ID,...", SINTER_IDS, SettingKind::Tokens},
    {"--bad-words", "ID,...;...", "runs of tokens of the model with semicolons between them: 5,7;9", SettingKind::Runs},
    {"--do-sample", "0|1", "0 or 1", SettingKind::Whole, 0, 1},
    {"--seed", "N", "a whole number from 0 to 18446744073709551615", SettingKind::Whole, 0, 18446744073709551615.0},
    {"--beams", "N", "a whole number from 1 to 64", SettingKind::Whole, 1, mostBeams},
    {"--beam-groups", "N", "a whole number from 1 to 64", SettingKind::Whole, 1, mostBeams},
    {"--diversity-penalty", "R", SINTER_ANY, SettingKind::Number, -greatestSetting, greatestSetting},
    {"--length-penalty", "R", "a number from -16 to 16", SettingKind::Number, -16, 16},
    {"--early-stopping", "0|1|2", "0, 1 or 2", SettingKind::Whole, 0, 2},
    {"--renormalize-logits", "0|1", "0 or 1", SettingKind::Whole, 0, 1}};
#undef SINTER_COUNT
#undef SINTER_SHARE
#undef SINTER_POSITIVE
#undef SINTER_ANY
#undef SINTER_IDS

/// Null: there is none of this name.
inline const SettingWord *settingOf(const std::string &name) {
  for (const SettingWord &each : settingWords)
    if (name == each.name)
      return &each;
  return nullptr;
}

/// Reads `5` of "5=2,7=3" or of "5,7;9"; false: there is no token.
inline bool readToken(const char *&text, long long &id) {
  char *end = nullptr;
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  id = std::strtoll(text, &end, 10);
  text = end;
  return errno == 0;
}

/// Whether a text has the form of a value, and a number is in its range. Which tokens a model has, it knows itself.
inline bool takesValue(const SettingWord &setting, const char *text) {
  if (!*text)
    return false;
  if (setting.kind == SettingKind::Whole) {
    char *end = nullptr;
    if (text[std::strspn(text, "0123456789")])
      return false;
    errno = 0;
    const auto number = static_cast<double>(std::strtoull(text, &end, 10));
    return errno == 0 && number >= setting.least && number <= setting.most;
  }
  if (setting.kind == SettingKind::Number || setting.kind == SettingKind::NumberOrZero) {
    char *end = nullptr;
    const double number = std::strtod(text, &end);
    const bool isZero = setting.kind == SettingKind::NumberOrZero && number == 0;
    return end != text && !*end && (isZero || (number >= setting.least && number <= setting.most));
  }
  while (*text) {
    long long id = 0;
    if (!readToken(text, id))
      return false;
    if (setting.kind == SettingKind::Biases) {
      char *end = nullptr;
      if (*text != '=')
        return false;
      const double bias = std::strtod(text + 1, &end);
      if (end == text + 1 || !(bias <= greatestSetting) || (bias < -greatestSetting && !std::isinf(bias)))
        return false;
      text = end;
    }
    if (*text == ',' || (*text == ';' && setting.kind == SettingKind::Runs)) {
      if (!*++text)
        return false;
    } else if (*text) {
      return false;
    }
  }
  return true;
}

/// sql or sql=0.5,poet: take(name, weight) for each; false: a weight is no number, or none that floats hold.
template <class Take>
bool readAdapterWeights(const char *text, Take take) {
  while (*text) {
    const size_t size = std::strcspn(text, "=,");
    const std::string name(text, size);
    text += size;
    double weight = 1;
    if (*text == '=') {
      char *end = nullptr;
      weight = std::strtod(text + 1, &end);
      if (end == text + 1 || (*end && *end != ',') || !(std::fabs(weight) <= greatestSetting))
        return false;
      text = end;
    }
    take(name, static_cast<float>(weight));
    text += *text == ',';
  }
  return true;
}

} // namespace sinter
