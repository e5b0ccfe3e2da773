// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of a session of one sequence. Where the session has logits of several rows, a step takes tokens along that may
// come next (runtime-lite/generation/drafted_steps.h): those of a smaller decoder, if the program is made with one,
// else those that followed the last ones earlier in the text.
//
// A program with a draft has SINTER_DRAFT_PREFIX, SINTER_DRAFT_MACRO and SINTER_DRAFT_SESSION, as session_program.h has
// of the model, and SINTER_DRAFT_WEIGHTS: where in the file of the weights those of the draft begin.
#pragma once

#include "token_grammar.h"
#include "token_sampler.h"

#include <vector>

#ifdef SINTER_DRAFT_SESSION
#include SINTER_DRAFT_SESSION
SINTER_DECODER(SINTER_DRAFT_PREFIX, SINTER_DRAFT_MACRO);
using DraftNet = SINTER_JOIN(SINTER_DRAFT_PREFIX, _decoder);

/// Chosen as the model's own tokens are: by the same settings, draws and grammar.
class Drafts {
public:
  Drafts(const void *weights, TokenSampler &sampler, const std::vector<int32_t> &ends)
      : own(weights ? static_cast<const unsigned char *>(weights) + SINTER_DRAFT_WEIGHTS : nullptr), model(own.session),
        sampler(sampler), ends(ends), grammar(ends) {}

  int32_t operator()(int32_t *text, int32_t count, int32_t room, int64_t most, const TokenGrammar &from) {
    grammar.goOnFrom(from);
    return model.propose(text, count, room, [&](const float *logits, int32_t behind) -> int32_t {
      if (!grammar.allowsMore(most - (behind - count)))
        return -1;
      const int32_t id = sampler.choose(logits, DraftNet::vocabulary, 0, behind, grammar.allowed());
      if (id < 0 || std::find(ends.begin(), ends.end(), id) != ends.end())
        return -1; // nothing follows an end
      grammar.take(id);
      return id;
    });
  }

private:
  OwnSession<DraftNet> own;
  sinter::DraftModel<DraftNet> model;
  TokenSampler &sampler;
  std::vector<int32_t> ends;
  TokenGrammar grammar;
};
#else
/// What followed the text's last tokens where they stood before.
class Drafts {
public:
  Drafts(const void *, TokenSampler &, const std::vector<int32_t> &) {}

  int32_t operator()(int32_t *text, int32_t count, int32_t room, int64_t, const TokenGrammar &) const {
    constexpr int32_t longest = 3;
    return sinter::draftFromText({text, count}, longest, room, {}, text + count);
  }
};
#endif

#if SIZE(_SESSION_BATCH) == 1
class SessionSteps : public sinter::DraftedSteps<Net> {
public:
  /// `weights`: as those of OwnSession; `ends`: tokens behind which nothing comes.
  SessionSteps(NET(_session) & session, const void *weights, TokenSampler &sampler, const std::vector<int32_t> &ends)
      : DraftedSteps(session), sampler(sampler), drafts(weights, sampler, ends) {}

  /// The session has gone on otherwise, by so many calls in all.
  void follow(int64_t made) {
    begin();
    calls = made;
  }
  /// Goes on by the token that the sampler chose last. `most`: how many may come behind it. A status.
  int takeChosen(int64_t most, const TokenGrammar &grammar) {
    return take(sampler.text(0), sampler.length(0), most,
                [&](int32_t *text, int32_t count, int32_t room) { return drafts(text, count, room, most, grammar); });
  }

private:
  TokenSampler &sampler;
  Drafts drafts;
};
#else
/// Of sequences side by side, which have no drafts.
class SessionSteps {
public:
  SessionSteps(NET(_session) & session, const void *, TokenSampler &sampler, const std::vector<int32_t> &)
      : session(session), sampler(sampler) {}

  void begin() { calls = 0; }
  void follow(int64_t made) { calls = made; }
  const float *logits() const { return session.logits; }
  int takeChosen(int64_t, const TokenGrammar &) {
    int64_t ids[SIZE(_SESSION_BATCH)];
    for (size_t i = 0; i < SIZE(_SESSION_BATCH); ++i)
      ids[i] = sampler.text(i)[sampler.length(i) - 1];
    ++calls;
    return NET(_step)(&session, ids, nullptr);
  }

  int64_t calls = 0;

private:
  NET(_session) & session;
  TokenSampler &sampler;
};
#endif
