// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contrastive search over a session (runtime-lite/generation/contrastive_steps.h), where the program is made with
// --penalty-alpha: the session keeps the states of all its tokens then, and has a token as soon as it is chosen.
#pragma once

#include "token_sampler.h"

#include <cstdint>
#include <vector>

#if SIZE(_SESSION_HIDDEN) && SIZE(_SESSION_BATCH) == 1
class SessionContrast {
public:
  SessionContrast(NET(_session) & session, const SamplingWords &words)
      : session(session), alpha(words.penaltyAlpha()),
        count(words.all().top_k < Net::vocabulary ? words.all().top_k : Net::vocabulary),
        memory(isOn() ? sinter::contrastive_search_bytes(count, SIZE(_SESSION_HIDDEN), Net::context) / 8 + 1 : 0),
        search(count, alpha, SIZE(_SESSION_HIDDEN), memory.data()), steps(session, search) {
    if (isOn() && count < 2)
      endWith("--penalty-alpha chooses among several tokens: --top-k says how many, 2 at least");
  }

  bool isOn() const { return alpha > 0; }
  /// Appends tokens that are given.
  int prefill(const int64_t *ids, int64_t tokens) {
    return isOn() ? steps.prefill(ids, tokens) : NET(_prefill)(&session, ids, tokens);
  }
  /// Chooses a token by these logits, and appends it.
  int64_t next(TokenSampler &sampler, const float *logits, const uint32_t *allowed) {
    return sampler.nextBy(
        logits, 0, allowed,
        [&](const sinter_sampler &settings, const sinter_step &step, float *row, void *scratch, size_t bytes) {
          int32_t id = 0;
          if (int status = steps.next(settings, step, row, scratch, bytes, id))
            endWithStatus(status);
          return id;
        });
  }
  /// Whether there is room for another token.
  bool hasRoom() const { return session.length < Net::context; }
  int64_t calls() const { return steps.calls; }

private:
  NET(_session) & session;
  double alpha;
  int32_t count;
  std::vector<uint64_t> memory;
  sinter::ContrastiveSearch search;
  sinter::ContrastiveSteps<Net> steps;
};
#else
class SessionContrast {
public:
  SessionContrast(NET(_session) & session, const SamplingWords &) : session(session) {}
  static constexpr bool isOn() { return false; }
  int prefill(const int64_t *ids, int64_t count) { return NET(_prefill)(&session, ids, count); }
  int64_t next(TokenSampler &, const float *, const uint32_t *) { return -1; }
  bool hasRoom() const { return false; }
  int64_t calls() const { return 0; }

private:
  NET(_session) & session;
};
#endif
