// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Beam search over sessions: each beam has one of its own, and one more into which the cache that it goes on with is
// copied. What the encoder made goes along. SINTER_LENGTH_PENALTY and SINTER_EARLY_STOPPING are the model's.
#pragma once

#include "session_program.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

class SessionBeams {
public:
  explicit SessionBeams(const void *weights, int32_t count) : count(count) {
    for (int32_t i = 0; i < count; ++i) {
      running.push_back(std::make_unique<OwnSession<Net>>(weights));
      next.push_back(std::make_unique<OwnSession<Net>>(weights));
    }
  }

  /// The best text behind `prompt`, which `begun` holds, of up to `most` tokens; with the token that ends it, if one
  /// does.
  std::vector<int64_t> search(const NET(_session) & begun, const std::vector<int64_t> &prompt, sinter_sampler settings,
                              const std::vector<int64_t> &ends, int64_t most) {
    constexpr int32_t vocabulary = SIZE(_SESSION_VOCABULARY);
    const std::vector<int32_t> eos(ends.begin(), ends.end());
    settings.eos = {eos.data(), static_cast<int32_t>(eos.size())};
    settings.max_length = static_cast<int32_t>(static_cast<int64_t>(prompt.size()) + most);
    const sinter_beams beams = {count, settings.max_length, SINTER_LENGTH_PENALTY, SINTER_EARLY_STOPPING,
                                SINTER_LENGTH_GENERATED};
    std::vector<uint64_t> memory(sinter::beam_search_bytes(beams, settings.eos.count) / sizeof(uint64_t) + 1),
        scratch(sinter::sampler_scratch_bytes(vocabulary) / sizeof(uint64_t) + 1);
    sinter::BeamSearch search(beams, settings, vocabulary, memory.data());
    const std::vector<int32_t> ids(prompt.begin(), prompt.end());
    check(search.begin(ids.data(), static_cast<int32_t>(ids.size())));
    const float *const last = begun.logits + (begun.rows - 1) * vocabulary;
    std::vector<float> logits(last, last + vocabulary);
    bool isFirst = true;
    for (;;) {
      check(search.step(logits.data(), scratch.data(), scratch.size() * sizeof(uint64_t)));
      if (search.isDone())
        break;
      logits.clear();
      for (int32_t i = 0; i < count; ++i) {
        const auto beam = static_cast<size_t>(i), parent = static_cast<size_t>(search.parents()[i]);
        const int64_t id = search.tokens(i)[search.length() - 1];
        NET(_session) &session = next[beam]->session;
        checkCall(NET(_fork)(&session, isFirst ? &begun : &running[parent]->session));
        checkCall(NET(_step)(&session, &id, nullptr));
        logits.insert(logits.end(), session.logits, session.logits + vocabulary);
      }
      std::swap(running, next);
      isFirst = false;
    }
    if (search.finishedCount() == 0)
      endWith("no text ended: --tokens may be too few");
    const int32_t *best = search.finished(0);
    return {best + prompt.size(), best + search.finishedLength(0)};
  }

private:
  static void check(int32_t status) {
    if (status)
      endWith(sinter_text_of_sample(status));
  }
  static void checkCall(int status) {
    if (status)
      endWithStatus(status);
  }

  int32_t count;
  std::vector<std::unique_ptr<OwnSession<Net>>> running, next;
};
