// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of a decoder's session that take tokens along which may come next. What is chosen behind each of them, greedy
// or drawn, decides how many stand: the text is the one without drafts, in fewer calls. The session's library is made
// with --logit-rows N, and a call takes up to N - 1 drafts along. Without heap.
//
//   SINTER_DECODER(kws, KWS);                      // behind kws_session.h
//   sinter::DraftedSteps<kws_decoder> steps(session);
//   ... kws_prefill(&session, prompt, count); steps.begin(); ...
//   for (;;) {
//     text[count++] = ... an id that is chosen by steps.logits() ...
//     if (const int status = steps.take(text, count, most, draft)) ...
//   }
//
// draft(text, count, room) writes up to `room` ids that may come next to text[count] and behind it, and says how many;
// a status of its own calls comes back below 0. By what the text says elsewhere (prompt_lookup.h), or by a smaller
// decoder (draft_model.h):
//   [](int32_t *text, int32_t count, int32_t room) { return draftFromText({text, count}, 3, room, {}, text + count); }
#pragma once

#include "runtime-lite/generation/decoder_session.h"

namespace sinter {
namespace {

template <class Decoder>
class DraftedSteps {
public:
  static_assert(Decoder::batch == 1, "drafts are for one sequence");
  using Session = typename Decoder::Session;
  explicit DraftedSteps(Session &session) : session(session) {}

  /// Behind a prefill: no drafts are there.
  void begin() {
    drafted = row = 0;
    before = session.length - 1;
    calls = 0;
  }
  /// Behind the tokens that stand.
  const float *logits() const { return session.logits + (session.rows - drafted - 1 + row) * Decoder::vocabulary; }
  /// Tokens that stand in the caches.
  int64_t length() const { return before + 1 + row; }

  /// Goes on by the id that was chosen, text[count - 1]. `most`: how many may come behind it. `text` has room for
  /// Decoder::rows more. A status.
  template <class Draft>
  int take(int32_t *text, int32_t count, int64_t most, Draft draft) {
    const int32_t id = text[count - 1];
    if (row < drafted && ids[1 + row] == id) {
      ++row;
      return 0;
    }
    if (const int status = dropRejected())
      return status;
    before = session.length;
    row = 0;
    const int64_t limits[] = {most - 1, Decoder::context - session.length - 1};
    int64_t room = Decoder::rows - 1;
    for (const int64_t limit : limits)
      room = limit < room ? limit : room;
    const int32_t found = room > 0 ? draft(text, count, static_cast<int32_t>(room)) : 0;
    if (found < 0)
      return -found;
    ids[0] = id;
    while (drafted < found && isToken(text[count + drafted])) {
      ids[1 + drafted] = text[count + drafted];
      ++drafted;
    }
    ++calls;
    return Decoder::prefill(session, ids, 1 + drafted);
  }
  /// Drafts that do not stand leave the caches.
  int dropRejected() {
    const int64_t stands = length();
    drafted = 0;
    return Decoder::rewind(session, stands);
  }

  int64_t calls = 0;

private:
  static bool isToken(int32_t id) { return id >= 0 && id < Decoder::vocabulary; }

  Session &session;
  int64_t ids[Decoder::rows] = {}; ///< of the last call: a token that was chosen, and drafts
  int32_t drafted = 0, row = 0;    ///< how many these are, and how many of them stand
  int64_t before = 0;              ///< tokens that were held before that call
};

} // namespace
} // namespace sinter
