// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the next token of each sequence by its logits and what was there before. The library's sampler
// (runtime-lite/generation/sampler.h) is written beside this file.
#pragma once

#include "session_program.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

/// The settings that programs take as words: a name of `numbers` and a number, or --logit-bias 5=-2.5,7=3. Those of
/// drawing draw; a temperature of 0 is the surest, as elsewhere.
class SamplingWords {
public:
  /// False: it is none of these, or its value is no number.
  bool take(const std::string &name, const char *value) {
    if (name == "--logit-bias")
      return takeBias(value);
    char *end = nullptr;
    const double number = std::strtod(value, &end);
    if (!*value || *end)
      return false;
    bool isDrawing = true;
    if (name == "--temperature")
      settings.temperature = static_cast<float>(number);
    else if (name == "--top-k")
      settings.top_k = static_cast<int32_t>(number);
    else if (name == "--top-p")
      settings.top_p = static_cast<float>(number);
    else if (name == "--min-p")
      settings.min_p = static_cast<float>(number);
    else if (name == "--seed")
      settings.seed = std::strtoull(value, nullptr, 10);
    else if ((isDrawing = false), name == "--repetition-penalty")
      settings.repetition_penalty = static_cast<float>(number);
    else if (name == "--presence-penalty")
      settings.presence_penalty = static_cast<float>(number);
    else if (name == "--frequency-penalty")
      settings.frequency_penalty = static_cast<float>(number);
    else if (name == "--diversity-penalty")
      settings.diversity_penalty = static_cast<float>(number);
    else if (name == "--no-repeat-ngram")
      settings.no_repeat_ngram_size = static_cast<int32_t>(number);
    else
      return false;
    isSurest = isSurest || (name == "--temperature" && number == 0);
    draws = draws || isDrawing;
    return true;
  }
  /// It ends with this.
  sinter_sampler all() const {
    sinter_sampler made = settings;
    made.do_sample = draws && !isSurest;
    made.sequence_bias = {biased.data(), ends.data(), static_cast<int32_t>(biased.size())};
    made.sequence_bias_values = biases.data();
    return made;
  }

private:
  bool takeBias(const char *text) {
    while (*text) {
      char *end = nullptr;
      const long id = std::strtol(text, &end, 10);
      if (end == text || *end != '=' || id < 0 || id >= SIZE(_SESSION_VOCABULARY))
        return false;
      text = end + 1;
      const float bias = std::strtof(text, &end);
      if (end == text || (*end && *end != ','))
        return false;
      biased.push_back(static_cast<int32_t>(id));
      ends.push_back(static_cast<int32_t>(biased.size()));
      biases.push_back(bias);
      text = *end ? end + 1 : end;
    }
    return !biased.empty();
  }

  sinter_sampler settings = {};
  std::vector<int32_t> biased, ends; ///< each a sequence of one token
  std::vector<float> biases;
  bool draws = false, isSurest = false;
};

class TokenSampler {
public:
  explicit TokenSampler(const sinter_sampler &settings)
      : settings(settings), row(SIZE(_SESSION_VOCABULARY)),
        scratch(sinter::sampler_scratch_bytes(SIZE(_SESSION_VOCABULARY)) / sizeof(uint64_t) + 1) {}

  /// Tokens that a sequence goes on from.
  void setText(size_t sequence, const int64_t *ids, size_t count) {
    if (texts.size() <= sequence)
      texts.resize(sequence + 1);
    texts[sequence] = {{ids, ids + count}, static_cast<int32_t>(count)};
    makeRoom(texts[sequence]);
    promptCount = static_cast<int32_t>(count);
  }

  /// `allowed`: a bit per token; null: all.
  int64_t next(const float *logits, size_t sequence, const uint32_t *allowed = nullptr) {
    Text &text = texts[sequence];
    const int32_t id = choose(logits, SIZE(_SESSION_VOCABULARY), sequence, text.count, allowed);
    if (id < 0)
      endWith(sinter_text_of_sample(id));
    text.ids[static_cast<size_t>(text.count++)] = id;
    makeRoom(text);
    return id;
  }
  /// What another model's row of logits makes of the first `count` of a sequence, or a status below 0.
  int32_t choose(const float *logits, int32_t vocabulary, size_t sequence, int32_t count, const uint32_t *allowed) {
    sinter::logitsOf(logits, vocabulary, row.data(), SIZE(_SESSION_VOCABULARY));
    sinter_step step = {};
    step.tokens = texts[sequence].ids.data();
    step.token_count = count;
    step.prompt_count = promptCount;
    step.allowed = allowed;
    step.sequence = static_cast<uint32_t>(sequence);
    return sinter::sample(settings, step, row.data(), SIZE(_SESSION_VOCABULARY), scratch.data(),
                          scratch.size() * sizeof(uint64_t));
  }

  /// Of a token that was just chosen: the logarithm of its probability before any temperature.
  double logProbability(int64_t id) const {
    const double greatest = static_cast<double>(*std::max_element(row.begin(), row.end()));
    double sum = 0;
    for (float logit : row)
      sum += std::exp(static_cast<double>(logit) - greatest);
    return static_cast<double>(row[static_cast<size_t>(id)]) - greatest - std::log(sum);
  }

  /// What stands of a sequence; behind it there is room for drafts.
  int32_t *text(size_t sequence) { return texts[sequence].ids.data(); }
  int32_t length(size_t sequence) const { return texts[sequence].count; }

private:
  struct Text {
    std::vector<int32_t> ids;
    int32_t count;
  };
  static void makeRoom(Text &text) { text.ids.resize(static_cast<size_t>(text.count + SIZE(_SESSION_ROWS))); }

  sinter_sampler settings;
  int32_t promptCount = 0;
  std::vector<float> row;
  std::vector<uint64_t> scratch;
  std::vector<Text> texts;
};
