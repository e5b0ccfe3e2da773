// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text that a decoder makes of what its encoder was given (encoded.cpp): how it begins, token by token or by beams,
// and whether it is believed.
#pragma once

#include "clock.h"
#include "encoded_settings.h"
// Behind the library, which comes with the sampler.
#include "session_beams.h"
#include "session_contrast.h"
#include "stats_file.h"
#ifdef SINTER_TOKENIZER
#include SINTER_TOKENIZER
#include "text_tokens.h"
#endif
#include "token_grammar.h"

#include <optional>
#include <string>
#include <type_traits>

/// How often a text was made before, and how many others, whose draws are others.
struct TextTurn {
  size_t attempt = 0, sequence = 0;
};

/// What goes on from what was encoded.
class EncodedText {
public:
  explicit EncodedText(const Settings &settings)
      : settings(settings), weights(weightsIn(settings.weights)), own(weights), contrast(session, settings.sampling) {
    settings.adapters.setTo(session);
  }

  template <class Value>
  void encode(const Value *values, int64_t count) {
    const int64_t from = now();
    if constexpr (std::is_integral_v<Value>) // sound is none that a text could repeat
      source.assign(values, values + count);
    if (int status = NET(_encode)(&session, values, count))
      endWithStatus(status);
    encodeSeconds += secondsBetween(from, now());
    encodedCount += count;
  }

  /// The text of what was encoded, heard again until it is believed, `restart()` before each time. Nothing: silence.
  template <class Adjust, class Restart, class Take>
  std::optional<Ids> hear(bool hasTimes, Adjust adjust, Restart restart, Take take) {
    SpeechAttempts attempts = settings.attempts;
    for (size_t attempt = 0;; ++attempt) {
      restart();
      if (int status = NET(_rewind)(&session, 0))
        endWithStatus(status);
      const Ids made = goOn(hasTimes, adjust, [](int64_t) {}, take, {attempt, 0});
      const double meanLog = said.empty() ? 0 : saidLog / static_cast<double>(said.size());
      const sinter::SpeechDoubt doubt = attempts.doubt(said, meanLog, silence);
      if (doubt == sinter::SpeechDoubt::Silence)
        return std::nullopt;
      if (doubt == sinter::SpeechDoubt::None || attempts.isLast(attempt))
        return made;
    }
  }

  /// The text of what was encoded, without its end. `adjust(made, logits)` changes logits before a token is chosen,
  /// `show(id)` is told it, and `take(session)` when the session has it.
  template <class Adjust, class Show, class Take>
  Ids goOn(bool hasTimes, Adjust adjust, Show show, Take take, TextTurn turn = {}) {
    const Ids text = begin(hasTimes);
    const long behind = contrast.isOn() ? 0 : 1; // what comes last is looked at only there
    const long room = static_cast<long>(SIZE(_SESSION_CONTEXT)) - static_cast<long>(text.size()) + behind;
    const long most = std::min(settings.limit.behind(text.size()), room);
    sinter_sampler chosen = settings.sampling.all();
    settings.attempts.adapt(chosen, turn.attempt);
    if (settings.beams.areOn())
      return searched(text, chosen, most, show);
    const Ids ends = listOf({SINTER_STOPS - 1});
    TokenSampler sampler(chosen, ends, turn.sequence);
    sampler.setText(0, text.data(), text.size(), most);
    sampler.setEncoded(0, source);
    Ids made;
    said.clear(), saidLog = 0;
    TokenGrammar grammar({ends.begin(), ends.end()});
    const int64_t from = now();
    for (long i = 0; i < most && grammar.goesOn(most - i); ++i) {
      const float *logits = adjust(made, chosen, session.logits);
      const int64_t id = contrast.isOn() ? contrast.next(sampler, logits, grammar.allowed())
                                         : sampler.next(logits, 0, grammar.allowed());
      show(id);
      if (settings.attempts.areJudged())
        said.push_back(static_cast<int32_t>(id)), saidLog += sampler.logProbability(id);
      if (std::find(ends.begin(), ends.end(), id) != ends.end())
        break;
      grammar.take(id);
      made.push_back(id);
      if (i + 1 == most)
        break;
      if (contrast.isOn())
        steps = static_cast<long>(contrast.calls());
      else if (int status = NET(_step)(&session, &id, nullptr))
        endWithStatus(status);
      else
        ++steps;
      take(session);
    }
    stepSeconds += secondsBetween(from, now());
    return made;
  }

  /// What the last text began with.
  const Ids &begun() const { return prompt; }

  void writeStats() const {
    writeStatsTo(settings.stats, static_cast<long long>(encodedCount), encodeSeconds, steps, stepSeconds);
  }

private:
  template <class Show>
  Ids searched(const Ids &text, const sinter_sampler &chosen, long most, Show show) {
    const int64_t from = now();
    const Ids made =
        SessionBeams(weights, settings.beams).search(session, text, chosen, listOf({SINTER_STOPS - 1}), most, source);
    stepSeconds += secondsBetween(from, now());
    steps += static_cast<long>(made.size());
    for (int64_t id : made)
      show(id);
    return made;
  }

  /// The tokens that texts begin with, which the session has then. What is spoken is found out once.
  Ids begin(bool hasTimes) {
    Ids text = prompt;
    if (!hasTimes)
      for (int64_t id : listOf({SINTER_WITHOUT_TIMES - 1}))
        text.push_back(id);
    const Ids languages = listOf({SINTER_LANGUAGES - 1});
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] < 0) {
        text[i] = languages.empty() ? 0 : languages.front();
        for (int64_t language : languages)
          if (session.logits[language] > session.logits[text[i]])
            text[i] = language;
        prompt[i] = text[i];
      }
      if (int status = contrast.prefill(&text[i], 1))
        endWithStatus(status);
      if (i == 0)
        silence = probabilityOf(SINTER_SILENCE);
    }
    return text;
  }

  /// Of a token behind the last one; 0 where it is none.
  double probabilityOf(int64_t id) const {
    if (id < 0 || id >= SIZE(_SESSION_VOCABULARY) || !settings.attempts.areJudged())
      return 0;
    double sum = 0;
    for (int64_t each = 0; each < SIZE(_SESSION_VOCABULARY); ++each)
      sum += std::exp(static_cast<double>(session.logits[each]) - static_cast<double>(session.logits[id]));
    return 1 / sum;
  }

  Ids prompt = listOf({SINTER_BEGIN - 1});
  std::vector<int32_t> source; ///< tokens that were encoded
  const Settings &settings;
  const void *weights;
  OwnSession<Net> own;
  NET(_session) &session = own.session;
  SessionContrast contrast;
  int64_t encodedCount = 0;
  double encodeSeconds = 0, stepSeconds = 0;
  long steps = 0;
  std::vector<int32_t> said; ///< of the last text, where it is judged: all tokens,
  double saidLog = 0;        ///< the sum of their probabilities' logarithms,
  double silence = 0;        ///< and how probable it was that nothing is said
};
