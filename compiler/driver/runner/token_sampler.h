// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the next token of each sequence by its logits and what was there before. The library's sampler
// (runtime-lite/generation/sampler.h) is written beside this file.
#pragma once

#include "session_program.h"

#include "sampling.h" // behind the types that the session has, too

#include <algorithm>
#include <cstdint>
#include <vector>

class TokenSampler {
public:
  explicit TokenSampler(const sinter_sampler &settings)
      : settings(settings), row(SIZE(_SESSION_VOCABULARY)),
        scratch(sinter::sampler_scratch_bytes(SIZE(_SESSION_VOCABULARY)) / sizeof(uint64_t) + 1) {}

  /// Tokens that a sequence goes on from.
  void append(size_t sequence, const int64_t *ids, size_t count) {
    if (texts.size() <= sequence)
      texts.resize(sequence + 1);
    texts[sequence].insert(texts[sequence].end(), ids, ids + count);
    promptCount = static_cast<int32_t>(texts[sequence].size());
  }

  int64_t next(const float *logits, size_t sequence) {
    std::vector<int32_t> &text = texts[sequence];
    std::copy(logits, logits + row.size(), row.begin());
    sinter_step step = {};
    step.tokens = text.data();
    step.token_count = static_cast<int32_t>(text.size());
    step.prompt_count = promptCount;
    step.sequence = static_cast<uint32_t>(sequence);
    const int32_t id = sinter::sample(settings, step, row.data(), SIZE(_SESSION_VOCABULARY), scratch.data(),
                                      scratch.size() * sizeof(uint64_t));
    if (id < 0)
      endWith(sinter_text_of_sample(id));
    text.push_back(id);
    return id;
  }

private:
  sinter_sampler settings;
  int32_t promptCount = 0;
  std::vector<float> row;
  std::vector<uint64_t> scratch;
  std::vector<std::vector<int32_t>> texts;
};
