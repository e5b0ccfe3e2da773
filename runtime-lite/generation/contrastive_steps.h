// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contrastive search (contrastive_search.h) by a decoder's session: each candidate is appended, looked at and taken
// back, the one that is chosen stays. The session's library is made with --hidden-states. Without heap.
//
//   SINTER_DECODER(kws, KWS);                      // behind kws_session.h
//   sinter::ContrastiveSearch search(4, 0.6, KWS_SESSION_HIDDEN, memory);
//   sinter::ContrastiveSteps<kws_decoder> steps(session, search);
//   if (const int status = steps.prefill(prompt, count)) ...
//   for (;;) {
//     ... a copy of session.logits, what the text is ...
//     if (const int status = steps.next(settings, step, row, scratch, bytes, id)) ...   // the session has id then
//   }
//
// States stay where their tokens stood: who takes tokens back (kws_rewind) goes on by prefill.
#pragma once

#include "runtime-lite/generation/contrastive_search.h"
#include "runtime-lite/generation/decoder_session.h"

namespace sinter {
namespace {

template <class Decoder>
class ContrastiveSteps {
public:
  static_assert(Decoder::batch == 1, "contrastive search is over one sequence");
  using Session = typename Decoder::Session;
  ContrastiveSteps(Session &session, ContrastiveSearch &search) : session(session), search(search) {}

  /// Appends tokens of the text. A status.
  int prefill(const int64_t *ids, int64_t count) {
    for (int64_t done = 0; done < count;) {
      const int64_t left = count - done, fresh = left < Decoder::chunk ? left : Decoder::chunk;
      if (const int status = Decoder::prefill(session, ids + done, fresh))
        return status;
      done += fresh;
      for (int64_t i = 0; i < fresh; ++i)
        search.keep(session.length - fresh + i, session.hidden + i * search.stateSize());
    }
    return 0;
  }

  /// Chooses a token by these logits and appends it. `id` is below 0 where choosing says why there is none. A status of
  /// the session.
  int next(const sinter_sampler &settings, const sinter_step &step, float *logits, void *scratch, size_t scratch_bytes,
           int32_t &id) {
    const int64_t length = session.length;
    const int32_t found = search.propose(settings, step, logits, Decoder::vocabulary, scratch, scratch_bytes);
    if (found <= 0) {
      id = found < 0 ? found : SINTER_SAMPLE_NONE_ALLOWED;
      return 0;
    }
    // The likeliest comes last: where it is chosen, it is there already.
    for (int32_t i = found - 1; i >= 0; --i) {
      if (const int status = append(search.id(i), length))
        return status;
      search.judge(i, session.hidden, length);
    }
    const int32_t best = search.best();
    id = search.id(best);
    if (best > 0)
      if (const int status = append(id, length))
        return status;
    search.keep(length, session.hidden);
    return 0;
  }

  int64_t calls = 0; ///< of candidates

private:
  /// One token behind the first `length`.
  int append(int32_t id, int64_t length) {
    const int64_t token = id;
    ++calls;
    if (const int status = Decoder::rewind(session, length))
      return status;
    return Decoder::prefill(session, &token, 1);
  }

  Session &session;
  ContrastiveSearch &search;
};

} // namespace
} // namespace sinter
