// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text that grows in a decoder's session. Whoever changes it says what the whole text is: what the caches have of it
// stays, the rest is taken back, and only what is new is computed.
#pragma once

#include "chat_settings.h"
#include "clock.h"
#include "given_rows.h"
#include "session_beams.h"
#include "session_contrast.h"
#include "session_steps.h"
#include "stats_file.h"
#include "text_tokens.h"
#include "token_grammar.h"

class TextSession {
public:
  explicit TextSession(const ChatSettings &settings)
      : settings(settings), sampler(settings.sampling.all(), listOfEnds()), grammar(listOfEnds()),
        stop{settings.stop.data(), settings.stop.size()},
        held(sinter::text_stream_bytes(mostBytes, settings.stop.size())), weights(weightsIn(settings.weights.c_str())),
        own(weights), given(session, settings.given.c_str()), contrast(session, settings.sampling),
        steps(session, weights, sampler, listOfEnds()) {
    settings.adapters.setTo(session);
  }

  static constexpr size_t context = static_cast<size_t>(SIZE(_SESSION_CONTEXT));

  /// All tokens, those included that were chosen and are not in the caches yet.
  const std::vector<int64_t> &text() const { return all; }

  /// Makes this the text, and writes what follows it; that is returned. `isOneText`: with the blank between the two,
  /// which the first token of an answer loses.
  std::string goOnFrom(std::vector<int64_t> ids, bool isOneText) {
    const int64_t begin = now();
    const size_t fresh = setText(given.expanded(ids));
    const int64_t prefilled = now();
    answer.clear();
    sinter::TextStream stream(&stop, stop.size ? 1 : 0, false, held.data(), held.size());
    sinter_tokens_stream bytes = {};
    char token[mostBytes];
    long made = 0;
    bool isFull = false;
    grammar.begin();
    if (isOneText || TokenGrammar::isThere) // a grammar's text has the blank, too
      passOver(bytes, token);
    for (int64_t id : searched()) {
      all.push_back(id);
      if (isEnd(id))
        break;
      ++made;
      const size_t size = sinter_tokens_stream_next(&bytes, static_cast<int32_t>(id), token, sizeof token, 0);
      show(stream.add({token, size}));
    }
    isFull = contrast.isOn() && !contrast.hasRoom();
    while (!settings.beams.areOn() && made < most && !isFull && grammar.goesOn(tokensLeft(made))) {
      const int64_t id = contrast.isOn() ? contrast.next(sampler, steps.logits(), grammar.allowed())
                                         : sampler.next(steps.logits(), 0, grammar.allowed());
      if (contrast.isOn())
        steps.follow(contrast.calls());
      all.push_back(id);
      if (isEnd(id))
        break;
      grammar.take(id);
      ++made;
      const size_t size = sinter_tokens_stream_next(&bytes, static_cast<int32_t>(id), token, sizeof token, 0);
      show(stream.add({token, size}));
      isFull = !stream.isStopped() && steps.length() >= SIZE(_SESSION_CONTEXT);
      if (stream.isStopped() || isFull || made == most)
        break;
      if (contrast.isOn())
        continue;
      if (int status = steps.takeChosen(tokensLeft(made), grammar))
        endWithStatus(status);
    }
    if (int status = steps.dropRejected())
      endWithStatus(status);
    const size_t size = sinter_tokens_stream_end(&bytes, token, sizeof token);
    if (!stream.isStopped()) {
      show(stream.add({token, size}));
      show(stream.finish());
    }
    std::printf("\n");
    std::fflush(stdout);
    hasOpenLine = false;
    if (!grammar.isComplete() && !stream.isStopped())
      std::fprintf(stderr, "the text is not complete: the grammar needs more than %ld tokens\n", made);
    if (isFull)
      std::fprintf(stderr, "the context of %zu tokens is full\n", context);
    writeStats(fresh, secondsBetween(begin, prefilled), secondsBetween(prefilled, now()));
    std::fprintf(stderr, "%zu tokens at %.1f/s, then %ld at %.1f/s", fresh, rate(fresh, begin, prefilled), made,
                 rate(static_cast<size_t>(made), prefilled, now()));
    if (SIZE(_SESSION_ROWS) > 1)
      std::fprintf(stderr, " in %lld calls", static_cast<long long>(steps.calls));
    std::fprintf(stderr, "\n");
    return answer;
  }

private:
  static constexpr size_t mostBytes = SINTER_TOKENS_TOKEN_BYTES + 4; ///< that a token shows, with those held before it

  /// How many tokens had to be computed.
  size_t setText(std::vector<int64_t> ids) {
    size_t common = 0; // with what the caches have; the last token is always computed, for its logits
    while (common < static_cast<size_t>(session.length) && common + 1 < ids.size() && all[common] == ids[common])
      ++common;
    if (NET(_rewind)(&session, static_cast<int64_t>(common)) != SINTER_OK) {
      common = 0; // a model with states that it cannot take back begins anew
      if (int status = NET(_rewind)(&session, 0))
        endWithStatus(status);
    }
    requireRoomFor(ids.size());
    all = std::move(ids);
    most = settings.limit.behind(all.size());
    sampler.setText(0, all.data(), all.size(), most);
    if (int status = given.append(all, common,
                                  [&](const int64_t *each, int64_t count) { return contrast.prefill(each, count); }))
      endWithStatus(status);
    steps.begin();
    return all.size() - common;
  }

  /// The best text behind this one, where it is searched for.
  std::vector<int64_t> searched() const {
    if (!settings.beams.areOn())
      return {};
    std::vector<int64_t> ends;
    for (int32_t end : listOfEnds())
      ends.push_back(end);
    return SessionBeams(weights, settings.beams)
        .search(session, all, settings.sampling.all(), ends, tokensLeft(0), {all.begin(), all.end()});
  }

  void writeStats(size_t fresh, double prompt, double rest) const {
    writeStatsTo(settings.stats.c_str(), static_cast<long long>(fresh), prompt, static_cast<long long>(steps.calls),
                 rest);
  }

  static double rate(size_t count, int64_t from, int64_t to) {
    const double seconds = secondsBetween(from, to);
    return seconds > 0 ? static_cast<double>(count) / seconds : 0;
  }
  int64_t tokensLeft(long made) const {
    // The last token need not be in the caches, where it is not looked at before it is chosen.
    const int64_t room = SIZE(_SESSION_CONTEXT) - steps.length() + (contrast.isOn() ? 0 : 1), wanted = most - made;
    return room < wanted ? room : wanted;
  }
  /// The text's last token, unseen, so that what follows is shown as it follows it.
  void passOver(sinter_tokens_stream &bytes, char (&shown)[mostBytes]) const {
    sinter_tokens_stream_next(&bytes, static_cast<int32_t>(all.back()), shown, sizeof shown,
                              SINTER_TOKENS_WITH_SPECIAL);
    sinter_tokens_stream_end(&bytes, shown, sizeof shown);
  }
  static std::vector<int32_t> listOfEnds() {
    std::vector<int32_t> ends;
    for (long long end : endTokens)
      if (end >= 0)
        ends.push_back(static_cast<int32_t>(end));
    return ends;
  }
  static bool isEnd(int64_t id) {
    for (long long end : endTokens)
      if (id == end)
        return true;
    return false;
  }
  void show(sinter_string text) {
    answer.append(text.data, text.size);
    std::fwrite(text.data, 1, text.size, stdout);
    std::fflush(stdout);
    hasOpenLine = hasOpenLine || text.size > 0;
  }

  const ChatSettings &settings;
  TokenSampler sampler;
  TokenGrammar grammar;
  sinter_string stop;
  std::vector<char> held;
  const void *weights;
  OwnSession<Net> own;
  NET(_session) &session = own.session;
  GivenInputs given;
  SessionContrast contrast;
  SessionSteps steps;
  std::vector<int64_t> all;
  long most = 0; ///< tokens of what follows
  std::string answer;
};
