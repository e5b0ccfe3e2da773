// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the next token of each sequence by its logits and what was there before. The library's sampler
// (runtime-lite/generation/sampler.h) is written beside this file.
#pragma once

#include "sampling_words.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

class TokenSampler {
public:
  /// `ends`: tokens that end a text, of which a configuration may name some that the model has not. `first`: how many
  /// sequences came before those of this sampler, whose draws are others.
  template <class Ids>
  TokenSampler(const sinter_sampler &settings, const Ids &ends, size_t first = 0)
      : settings(settings), ends(tokensOfModel(ends)), first(first), row(SIZE(_SESSION_VOCABULARY)),
        scratch(sinter::sampler_scratch_bytes(SIZE(_SESSION_VOCABULARY)) / sizeof(uint64_t) + 1) {
    this->settings.eos = {this->ends.data(), static_cast<int32_t>(this->ends.size())};
  }

  /// Tokens that a sequence goes on from, and how many may come behind them at most.
  void setText(size_t sequence, const int64_t *ids, size_t count, int64_t most) {
    if (texts.size() <= sequence)
      texts.resize(sequence + 1);
    const auto own = static_cast<int32_t>(count);
    texts[sequence] = {{ids, ids + count}, own, own, static_cast<int32_t>(own + most)};
    makeRoom(texts[sequence]);
  }

  /// What the encoder read, where there is one; it stays the caller's.
  void setEncoded(size_t sequence, const std::vector<int32_t> &ids) { texts[sequence].encoded = &ids; }

  /// `allowed`: a bit per token; null: all.
  int64_t next(const float *logits, size_t sequence, const uint32_t *allowed = nullptr) {
    return add(sequence, choose(logits, SIZE(_SESSION_VOCABULARY), sequence, texts[sequence].count, allowed));
  }
  /// The next token as choose(settings, step, row, scratch, bytes) says it, which may change the row of logits.
  template <class Choose>
  int64_t nextBy(const float *logits, size_t sequence, const uint32_t *allowed, Choose choose) {
    std::copy(logits, logits + row.size(), row.begin());
    return add(sequence, choose(settingsOf(sequence), stepOf(sequence, texts[sequence].count, allowed), row.data(),
                                scratch.data(), scratch.size() * sizeof(uint64_t)));
  }
  /// What another model's row of logits makes of the first `count` of a sequence, or a status below 0.
  int32_t choose(const float *logits, int32_t vocabulary, size_t sequence, int32_t count, const uint32_t *allowed) {
    sinter::logitsOf(logits, vocabulary, row.data(), SIZE(_SESSION_VOCABULARY));
    const sinter_step step = stepOf(sequence, count, allowed);
    return sinter::sample(settingsOf(sequence), step, row.data(), SIZE(_SESSION_VOCABULARY), scratch.data(),
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
    int32_t count, promptCount, longest;
    const std::vector<int32_t> *encoded = nullptr;
  };
  const sinter_sampler &settingsOf(size_t sequence) {
    settings.max_length = texts[sequence].longest;
    return settings;
  }
  sinter_step stepOf(size_t sequence, int32_t count, const uint32_t *allowed) const {
    sinter_step step = {};
    step.tokens = texts[sequence].ids.data();
    step.token_count = count;
    step.prompt_count = texts[sequence].promptCount;
    step.allowed = allowed;
    step.sequence = static_cast<uint32_t>(first + sequence);
    const std::vector<int32_t> *encoded = texts[sequence].encoded;
    step.encoder = encoded ? sinter_ids{encoded->data(), static_cast<int32_t>(encoded->size())}
                           : sinter_ids{step.tokens, step.prompt_count};
    return step;
  }
  /// A token that was chosen, or what is said in place of one.
  int64_t add(size_t sequence, int32_t id) {
    if (id < 0)
      endWithSample(id);
    Text &text = texts[sequence];
    text.ids[static_cast<size_t>(text.count++)] = id;
    makeRoom(text);
    return id;
  }
  static void makeRoom(Text &text) { text.ids.resize(static_cast<size_t>(text.count + SIZE(_SESSION_ROWS))); }

  sinter_sampler settings;
  std::vector<int32_t> ends;
  size_t first;
  std::vector<float> row;
  std::vector<uint64_t> scratch;
  std::vector<Text> texts;
};
