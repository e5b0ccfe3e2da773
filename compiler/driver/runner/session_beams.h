// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Beam search over sessions: each beam has one of its own, and one more into which the cache that it goes on with is
// copied. What the encoder made goes along.
#pragma once

#include "session_program.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

class SessionBeams {
public:
  SessionBeams(const void *weights, const sinter_beams &beams) : beams(beams) {
    for (int32_t i = 0; i < beams.num_beams; ++i) {
      running.push_back(std::make_unique<OwnSession<Net>>(weights));
      next.push_back(std::make_unique<OwnSession<Net>>(weights));
    }
  }

  /// The best text behind `prompt`, which `begun` holds; with the token that ends it, if one does.
  std::vector<int64_t> search(const NET(_session) & begun, const std::vector<int64_t> &prompt,
                              const sinter_sampler &settings) {
    constexpr int32_t vocabulary = SIZE(_SESSION_VOCABULARY);
    std::vector<uint64_t> memory(sinter::beam_search_bytes(beams, settings.eos.count) / sizeof(uint64_t) + 1),
        scratch(sinter::sampler_scratch_bytes(vocabulary) / sizeof(uint64_t) + 1);
    sinter::BeamSearch search(beams, settings, vocabulary, memory.data());
    const std::vector<int32_t> ids(prompt.begin(), prompt.end());
    check(search.begin(ids.data(), static_cast<int32_t>(ids.size())));
    std::vector<float> logits(begun.logits, begun.logits + vocabulary);
    bool isFirst = true;
    for (;;) {
      check(search.step(logits.data(), scratch.data(), scratch.size() * sizeof(uint64_t)));
      if (search.isDone())
        break;
      logits.clear();
      for (int32_t i = 0; i < beams.num_beams; ++i) {
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

  sinter_beams beams;
  std::vector<std::unique_ptr<OwnSession<Net>>> running, next;
};
