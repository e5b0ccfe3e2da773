// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main function of the program that `sinter generate` makes of an encoder-decoder: it encodes a text, tokens or
// sound, and goes on from the tokens that its texts begin with.
//   encoded --text TEXT | --ids IDS | --sound FILE [--tokens N] [--timestamps 1] [--beams N] [--beam-groups N] [--stats FILE] [--weights FILE]
//           [SETTING VALUE]...
// Besides the macros of session_program.h it is compiled with lists of tokens, each followed by a comma: SINTER_STOPS,
// SINTER_BEGIN (-1: the likeliest of SINTER_LANGUAGES), SINTER_FORCED_BEGIN, SINTER_FORCED_END, SINTER_SUPPRESSED,
// SINTER_SUPPRESSED_FIRST, SINTER_WITHOUT_TIMES (what follows SINTER_BEGIN where a text has none); SINTER_SILENCE, the
// token that says that nothing is said, or -1; those of session_beams.h; SINTER_TOKENIZER="header", where text comes
// out rather than tokens; and of an encoder of sound SINTER_BANDS, which it takes, and SINTER_TIMES, the members of
// SpeechTimes (its first is 0 where the model knows no times); with what spoken_words.h names each word has a line.
#include "clock.h"
#include "encoded_settings.h"

#include "session_beams.h" // behind the library, which comes with the sampler
#ifdef SINTER_TOKENIZER
#include SINTER_TOKENIZER
#include "text_tokens.h"
#endif
#include "token_grammar.h"
#ifdef SINTER_BANDS
#include "sound.h"
#include "speech_windows.h"
#ifdef SINTER_ALIGNMENT_HEADS
#include "spoken_words.h"
#endif
#include "wav.h"
#endif

#include <optional>
#include <string>

namespace {
/// What goes on from what was encoded.
class EncodedText {
public:
  explicit EncodedText(const Settings &settings)
      : settings(settings), weights(weightsIn(settings.weights)), own(weights) {
    settings.adapters.setTo(session);
  }

  template <class Value>
  void encode(const Value *values, int64_t count) {
    const int64_t from = now();
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
      const Ids made = goOn(hasTimes, adjust, [](int64_t) {}, take, attempt);
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
  Ids goOn(bool hasTimes, Adjust adjust, Show show, Take take, size_t attempt = 0) {
    const Ids text = begin(hasTimes);
    const long room = static_cast<long>(SIZE(_SESSION_CONTEXT)) - static_cast<long>(text.size()) + 1;
    const long most = settings.tokens < room ? settings.tokens : room;
    ModelSettings model;
    sinter_sampler chosen = model.addTo(settings.sampling.all(), text.size(), most);
    settings.attempts.adapt(chosen, attempt);
    if (settings.beams > 1)
      return searched(text, chosen, most, show);
    TokenSampler sampler(chosen);
    sampler.setText(0, text.data(), text.size());
    const Ids ends = listOf({SINTER_STOPS - 1});
    Ids made;
    said.clear(), saidLog = 0;
    TokenGrammar grammar({ends.begin(), ends.end()});
    const int64_t from = now();
    for (long i = 0; i < most && grammar.goesOn(most - i); ++i) {
      const int64_t id = sampler.next(adjust(made, chosen, session.logits), 0, grammar.allowed());
      show(id);
      if (settings.attempts.areJudged())
        said.push_back(static_cast<int32_t>(id)), saidLog += sampler.logProbability(id);
      if (std::find(ends.begin(), ends.end(), id) != ends.end())
        break;
      grammar.take(id);
      made.push_back(id);
      if (i + 1 == most)
        break;
      if (int status = NET(_step)(&session, &id, nullptr))
        endWithStatus(status);
      take(session);
      ++steps;
    }
    stepSeconds += secondsBetween(from, now());
    return made;
  }

  /// What the last text began with.
  const Ids &begun() const { return prompt; }

  void writeStats() const {
    if (!settings.stats)
      return;
    if (std::FILE *stats = std::fopen(settings.stats, "w")) {
      std::fprintf(stats, "%lld %.9f %ld %.9f\n", static_cast<long long>(encodedCount), encodeSeconds, steps,
                   stepSeconds);
      std::fclose(stats);
    }
  }

private:
  template <class Show>
  Ids searched(const Ids &text, const sinter_sampler &chosen, long most, Show show) {
    const int64_t from = now();
    const Ids made = SessionBeams(weights, settings.beams, settings.groups)
                         .search(session, text, chosen, listOf({SINTER_STOPS - 1}), most);
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
      if (int status = NET(_step)(&session, &text[i], nullptr))
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
  const Settings &settings;
  const void *weights;
  OwnSession<Net> own;
  NET(_session) &session = own.session;
  int64_t encodedCount = 0;
  double encodeSeconds = 0, stepSeconds = 0;
  long steps = 0;
  std::vector<int32_t> said; ///< of the last text, where it is judged: all tokens,
  double saidLog = 0;        ///< the sum of their probabilities' logarithms,
  double silence = 0;        ///< and how probable it was that nothing is said
};

/// What comes out: text by whole code points, or tokens with blanks between them.
class Output {
public:
#ifdef SINTER_TOKENIZER
  void show(int64_t id) {
    char text[SINTER_TOKENS_TOKEN_BYTES + 4];
    const size_t size = sinter_tokens_stream_next(&bytes, static_cast<int32_t>(id), text, sizeof text, 0);
    std::fwrite(text, 1, size, stdout);
    std::fflush(stdout);
  }
  void endText() {
    char text[SINTER_TOKENS_TOKEN_BYTES + 4];
    std::fwrite(text, 1, sinter_tokens_stream_end(&bytes, text, sizeof text), stdout);
    bytes = {};
  }

private:
  sinter_tokens_stream bytes = {};
#else
  void show(int64_t id) {
    std::printf("%s%lld", isFirst ? "" : " ", static_cast<long long>(id));
    std::fflush(stdout);
    isFirst = false;
  }
  void endText() {}

private:
  bool isFirst = true;
#endif
};

const float *asTheyAre(const Ids &, const sinter_sampler &, const float *logits) { return logits; }
void nothing(const NET(_session) &) {}

#ifdef SINTER_BANDS
constexpr sinter::SpeechTimes times = {SINTER_TIMES};

/// One line for a part of the text, with its times; or all of it in one. Silence has no line.
void showPart(Output &output, const Ids &made, const sinter::SpeechPart &part, double offset, bool hasTimestamps) {
  const auto from = made.begin() + part.from, to = made.begin() + part.to;
  if (hasTimestamps && std::all_of(from, to, [](int64_t id) { return id >= times.first; }))
    return;
  if (hasTimestamps)
    std::printf("[%.2f --> %.2f]", offset + part.begin * sinter::kSecondsOfTimeStep,
                offset + part.end * sinter::kSecondsOfTimeStep);
  for (auto id = from; id != to; ++id) {
#ifdef SINTER_TOKENIZER
    if (*id >= times.first)
      continue;
#endif
    output.show(*id);
  }
  if (hasTimestamps) {
    output.endText();
    std::printf("\n");
    output = {};
  }
}

/// From where the last whole part ended, until all is heard.
void goOnWithTimes(EncodedText &text, const SpeechWindows &windows, const Settings &settings, Output &output) {
  std::vector<float> features, logits(SIZE(_SESSION_VOCABULARY));
  auto adjust = [&](const Ids &made, const sinter_sampler &chosen, const float *given) {
    std::copy(given, given + logits.size(), logits.begin());
    for (const sinter_ids &list : {chosen.suppress, made.empty() ? chosen.begin_suppress : sinter_ids{}})
      for (int32_t i = 0; i < list.count; ++i)
        logits[static_cast<size_t>(list.ids[i])] = sinter::kForbidden;
    const std::vector<int32_t> ids(made.begin(), made.end());
    sinter::keepTimesInOrder(times, {ids.data(), static_cast<int32_t>(ids.size())}, logits.data(),
                             SIZE(_SESSION_VOCABULARY));
    return logits.data();
  };
#ifdef SINTER_ALIGNMENT_HEADS
  SpokenWords words;
  const auto take = [&](const NET(_session) & session) { words.take(session); };
  const auto restart = [&] { words.beginPart(); };
#else
  const auto take = nothing;
  const auto restart = [] {};
#endif
  for (int64_t seek = 0, heard = 0; seek < windows.frames(); seek += heard) {
    text.encode(windows.at(seek, features), SIZE(_SESSION_SOURCE));
    const std::optional<Ids> believed = text.hear(true, adjust, restart, take);
    heard = SIZE(_SESSION_SOURCE);
    if (!believed)
      continue;
    const Ids &made = *believed;
    const std::vector<int32_t> ids(made.begin(), made.end());
    std::vector<sinter::SpeechPart> parts(made.size() + 1);
    const int32_t count =
        sinter::speechParts(times, {ids.data(), static_cast<int32_t>(ids.size())},
                            std::min<int64_t>(windows.frames() - seek, SIZE(_SESSION_SOURCE)), parts.data(), &heard);
    const double from = static_cast<double>(seek) / sinter::kTimeFrames * sinter::kSecondsOfTimeStep;
#ifdef SINTER_ALIGNMENT_HEADS
    words.setPrompt(text.begun());
    const std::vector<double> seconds = words.ends(made.size(), windows.soundFrames() - seek, from);
    for (int32_t i = 0; i < count; ++i)
      words.show(made, parts[static_cast<size_t>(i)], seconds, times.first);
    words.beginPart();
#else
    for (int32_t i = 0; i < count; ++i)
      showPart(output, made, parts[static_cast<size_t>(i)], from, settings.hasTimestamps);
#endif
  }
}

void encodeAll(EncodedText &text, const Settings &settings, Output &output) {
  if (!settings.sound)
    endWith("this model takes sound");
  constexpr int64_t window = SIZE(_SESSION_SOURCE), most = window * sinter::kFrameHop;
  const WavFile wav(settings.sound, sinter::kSoundRate);
  const auto count = static_cast<int64_t>(wav.samples.size());
  const bool hasTimes = times.first && (settings.hasTimestamps || count > most); // which parts are whole, times tell
  if (hasTimes && settings.beams > 1)
    endWith("beams find no texts with times, and sound that is longer than the encoder hears at once has them: leave "
            "--beams away");
  if (hasTimes)
    return goOnWithTimes(text, SpeechWindows(wav.samples, SINTER_BANDS, window), settings, output);
  std::vector<float> features(SINTER_BANDS * window);
  for (int64_t done = 0; done == 0 || done < count; done += most) {
    sinter::logMel(wav.samples.data() + done, std::min(count - done, most), SINTER_BANDS, window, features.data());
    text.encode(features.data(), window);
    if (!settings.attempts.areJudged()) {
      text.goOn(false, asTheyAre, [&](int64_t id) { output.show(id); }, nothing);
      continue;
    }
    for (int64_t id : text.hear(false, asTheyAre, [] {}, nothing).value_or(Ids()))
      output.show(id);
  }
}
#else
Ids idsOf(const Settings &settings) {
  Ids ids;
  for (const char *text = settings.ids; text && *text;) {
    char *end;
    ids.push_back(std::strtoll(text, &end, 10));
    text = *end ? end + 1 : end;
  }
#ifdef SINTER_TOKENIZER
  if (settings.text)
    return encodeText(settings.text, 0, 0); // the encoder knows what its tokens are
#endif
  return ids;
}

void encodeAll(EncodedText &text, const Settings &settings, Output &output) {
  const Ids ids = idsOf(settings);
  if (ids.empty())
    endWith("there is no text to encode");
  if (static_cast<int64_t>(ids.size()) > SIZE(_SESSION_SOURCE))
    endWith("the text has more tokens than the encoder takes: --source says how many");
  text.encode(ids.data(), static_cast<int64_t>(ids.size()));
  text.goOn(false, asTheyAre, [&](int64_t id) { output.show(id); }, nothing);
}
#endif
} // namespace

int main(int, char **arguments) {
  const Settings settings = parse(arguments);
#ifdef SINTER_BANDS
  listOf({int64_t(times.first), int64_t(times.end), -1});
#endif
  EncodedText text(settings);
  Output output;
  encodeAll(text, settings, output);
  output.endText();
  if (!settings.hasTimestamps)
    std::printf("\n");
  text.writeStats();
  return 0;
}
