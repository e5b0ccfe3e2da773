// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main function of the program that `sinter generate` makes of an encoder-decoder: it encodes a text, tokens or
// sound, and goes on from the tokens that its texts begin with.
//   encoded --text TEXT | --ids IDS | --sound FILE [--tokens N] [--stats FILE] [--weights FILE] [SETTING VALUE]...
// Besides the macros of session_program.h it is compiled with lists of tokens, each followed by a comma: SINTER_STOPS,
// SINTER_BEGIN (-1: the likeliest of SINTER_LANGUAGES), SINTER_FORCED_BEGIN, SINTER_FORCED_END, SINTER_SUPPRESSED,
// SINTER_SUPPRESSED_FIRST; SINTER_TOKENIZER="header", where text comes out rather than tokens; and SINTER_BANDS, which
// an encoder of sound takes.
#include "clock.h"
#include "token_sampler.h"
#ifdef SINTER_TOKENIZER
#include SINTER_TOKENIZER
#include "text_tokens.h"
#endif
#include "token_grammar.h"
#ifdef SINTER_BANDS
#include "sound.h"
#include "wav.h"
#endif

#include <string>

namespace {
using Ids = std::vector<int64_t>;

/// Lists of macros, which end in a token that is none.
template <size_t count>
Ids listOf(const int64_t (&ids)[count]) {
  return {ids, ids + count - 1};
}

struct Settings {
  SamplingWords sampling;
  long tokens = 256;
  const char *text = nullptr, *ids = nullptr, *sound = nullptr, *stats = nullptr, *weights = nullptr;
};

Settings parse(char **arguments) {
  Settings settings;
  for (char **word = arguments + 1; word[0] && word[1]; word += 2) {
    const std::string name = word[0];
    const char *value = word[1];
    if (name == "--tokens")
      settings.tokens = std::atol(value);
    else if (name == "--text")
      settings.text = value;
    else if (name == "--ids")
      settings.ids = value;
    else if (name == "--sound")
      settings.sound = value;
    else if (name == "--stats")
      settings.stats = value;
    else if (name == "--weights")
      settings.weights = value;
    else if (!settings.sampling.take(name, value))
      endWith("a setting is none, or no number");
  }
  return settings;
}

/// The settings that the model's configuration adds to those of the user.
class ModelSettings {
public:
  sinter_sampler addTo(sinter_sampler settings, size_t begun, long tokens) {
    auto list = [](const std::vector<int32_t> &ids) {
      return sinter_ids{ids.data(), static_cast<int32_t>(ids.size())};
    };
    settings.forced_bos = list(forcedBegin);
    settings.forced_eos = list(forcedEnd);
    settings.suppress = list(suppressed);
    settings.begin_suppress = list(suppressedFirst);
    settings.max_length = static_cast<int32_t>(static_cast<long>(begun) + tokens);
    return settings;
  }

private:
  static std::vector<int32_t> narrowed(const Ids &ids) { return {ids.begin(), ids.end()}; }
  std::vector<int32_t> forcedBegin = narrowed(listOf({SINTER_FORCED_BEGIN - 1})),
                       forcedEnd = narrowed(listOf({SINTER_FORCED_END - 1})),
                       suppressed = narrowed(listOf({SINTER_SUPPRESSED - 1})),
                       suppressedFirst = narrowed(listOf({SINTER_SUPPRESSED_FIRST - 1}));
};

/// What goes on from what was encoded.
class EncodedText {
public:
  explicit EncodedText(const Settings &settings) : settings(settings), own(settings.weights) {}

  template <class Value>
  void encode(const Value *values, int64_t count) {
    const int64_t from = now();
    if (int status = NET(_encode)(&session, values, count))
      endWithStatus(status);
    encodeSeconds += secondsBetween(from, now());
    encodedCount += count;
  }

  void goOn() {
    const Ids text = begin();
    const long room = static_cast<long>(SIZE(_SESSION_CONTEXT)) - static_cast<long>(text.size()) + 1;
    const long most = settings.tokens < room ? settings.tokens : room;
    ModelSettings model;
    TokenSampler sampler(model.addTo(settings.sampling.all(), text.size(), most));
    sampler.setText(0, text.data(), text.size());
    const Ids ends = listOf({SINTER_STOPS - 1});
    TokenGrammar grammar({ends.begin(), ends.end()});
    const int64_t from = now();
    for (long made = 0; made < most && grammar.goesOn(most - made); ++made) {
      const int64_t id = sampler.next(session.logits, 0, grammar.allowed());
      show(id);
      if (std::find(ends.begin(), ends.end(), id) != ends.end())
        break;
      grammar.take(id);
      if (made + 1 == most)
        break;
      if (int status = NET(_step)(&session, &id, nullptr))
        endWithStatus(status);
      ++steps;
    }
    stepSeconds += secondsBetween(from, now());
    endText();
  }

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
  /// The tokens that texts begin with, which the session has then.
  Ids begin() {
    Ids text = listOf({SINTER_BEGIN - 1});
    const Ids languages = listOf({SINTER_LANGUAGES - 1});
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] < 0) {
        text[i] = languages.empty() ? 0 : languages.front();
        for (int64_t language : languages)
          if (session.logits[language] > session.logits[text[i]])
            text[i] = language;
      }
      if (int status = NET(_step)(&session, &text[i], nullptr))
        endWithStatus(status);
    }
    return text;
  }

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
  }
  sinter_tokens_stream bytes = {};
#else
  void show(int64_t id) {
    std::printf("%s%lld", isFirst ? "" : " ", static_cast<long long>(id));
    std::fflush(stdout);
    isFirst = false;
  }
  void endText() {}
  bool isFirst = true;
#endif

  const Settings &settings;
  OwnSession own;
  NET(_session) &session = own.session;
  int64_t encodedCount = 0;
  double encodeSeconds = 0, stepSeconds = 0;
  long steps = 0;
};

#ifdef SINTER_BANDS
void encodeAll(EncodedText &text, const Settings &settings) {
  constexpr int64_t frames = SIZE(_SESSION_SOURCE), most = frames * sinter::kFrameHop;
  if (!settings.sound)
    endWith("this model takes sound");
  const WavFile wav(settings.sound, sinter::kSoundRate);
  std::vector<float> features(SINTER_BANDS * frames);
  const auto count = static_cast<int64_t>(wav.samples.size());
  for (int64_t done = 0; done == 0 || done < count; done += most) { // as much of it as the encoder hears at once
    sinter::logMel(wav.samples.data() + done, std::min(count - done, most), SINTER_BANDS, frames, features.data());
    text.encode(features.data(), frames);
    text.goOn();
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

void encodeAll(EncodedText &text, const Settings &settings) {
  const Ids ids = idsOf(settings);
  if (ids.empty())
    endWith("there is no text to encode");
  if (static_cast<int64_t>(ids.size()) > SIZE(_SESSION_SOURCE))
    endWith("the text has more tokens than the encoder takes: --source says how many");
  text.encode(ids.data(), static_cast<int64_t>(ids.size()));
  text.goOn();
}
#endif
} // namespace

int main(int, char **arguments) {
  const Settings settings = parse(arguments);
  EncodedText text(settings);
  encodeAll(text, settings);
  std::printf("\n");
  text.writeStats();
  return 0;
}
