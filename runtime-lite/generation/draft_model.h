// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drafts of a second, smaller decoder with the same tokens, for drafted_steps.h. It has a session of its own, which
// follows the text: what is there of it stays, the rest is taken back. Without heap; 8 bytes for each token of the
// context.
//
//   SINTER_DECODER(small, SMALL);                  // behind the header of its session
//   sinter::DraftModel<small_decoder> model(smallSession);
//   auto draft = [&](int32_t *text, int32_t count, int32_t room) {
//     return model.propose(text, count, room, [&](const float *logits, int32_t behind) {
//       sinter::logitsOf(logits, small_decoder::vocabulary, row, kws_decoder::vocabulary);
//       step.token_count = behind;                 // step.tokens is text
//       return sinter::sample(settings, step, row, kws_decoder::vocabulary, scratch, sizeof scratch);
//     });
//   };
//
// Draws are numbered by place, so that a draft that is drawn by the model's own settings is what the model will draw
// wherever the two expect the same.
#pragma once

#include "runtime-lite/generation/decoder_session.h"

namespace sinter {
namespace {

/// A draft's row as one of the model's vocabulary: ids that the draft has not are never chosen. Vocabularies of one
/// tokenizer may be padded to different sizes.
SINTER_FUNCTION void logitsOf(const float *from, int32_t fromCount, float *to, int32_t toCount) {
  for (int32_t id = 0; id < toCount; ++id)
    to[id] = id < fromCount ? from[id] : -static_cast<float>(SINTER_INFINITY);
}

template <class Decoder>
class DraftModel {
public:
  static_assert(Decoder::batch == 1, "drafts are for one sequence");
  using Session = typename Decoder::Session;
  /// Of an empty session, which nobody else changes.
  explicit DraftModel(Session &session) : session(session) {}

  /// Writes up to `most` ids that may follow the first `count` of `text` behind these, and says how many; a status of
  /// the session comes back below 0. choose(logits, behind) takes the id that follows the first `behind` of `text` by
  /// the draft's logits; below 0 it ends the draft.
  template <class Choose>
  int32_t propose(int32_t *text, int32_t count, int32_t most, Choose choose) {
    const int64_t room = Decoder::context - count + 1; // the last id of a draft is not appended
    if (count < 1 || room < 1 || most < 1)
      return 0;
    const int64_t same = agreed(text, count);
    for (int64_t i = same; i < count; ++i)
      if (!isToken(text[i]))
        return 0; // the text has what the draft does not know
    int status = Decoder::rewind(session, same);
    if (!status)
      status = append(text, count);
    int32_t made = 0;
    while (!status) {
      const float *const last = session.logits + (session.rows - 1) * Decoder::vocabulary;
      const int32_t id = choose(last, count + made);
      if (id < 0)
        return made;
      text[count + made++] = id;
      if (made == most || made == room || !isToken(id))
        return made;
      status = append(text, count + made);
    }
    return -status;
  }

private:
  static bool isToken(int32_t id) { return id >= 0 && id < Decoder::vocabulary; }

  /// How many ids the session has of the text; its last one is always computed, for its logits.
  int64_t agreed(const int32_t *text, int32_t count) const {
    int64_t same = 0;
    while (same < session.length && same + 1 < count && held[same] == text[same])
      ++same;
    return same;
  }
  /// What the session has not of the first `count`.
  int append(const int32_t *text, int32_t count) {
    const int64_t from = session.length;
    for (int64_t i = from; i < count; ++i)
      held[i] = text[i];
    return Decoder::prefill(session, held + from, count - from);
  }

  Session &session;
  int64_t held[Decoder::context] = {}; ///< the ids in the session's caches
};

} // namespace
} // namespace sinter
