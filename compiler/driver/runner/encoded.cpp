// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main function of the program that `sinter generate` makes of an encoder-decoder: it encodes a text, tokens or
// sound, and goes on from the tokens that its texts begin with.
//   encoded --text TEXT | --ids IDS | --sound FILE | --given FILE [--tokens N] [--timestamps 1] [--beams N] [--beam-groups N] [--stats FILE] [--weights FILE]
//           [SETTING VALUE]...
// IDS are tokens with commas between them, of several sequences with semicolons: each has a line then.
// Besides the macros of session_program.h it is compiled with lists of tokens, each followed by a comma: SINTER_STOPS,
// SINTER_BEGIN (-1: the likeliest of SINTER_LANGUAGES), SINTER_WITHOUT_TIMES (what follows SINTER_BEGIN where a text
// has none); SINTER_SILENCE, the token that says that nothing is said, or -1; SINTER_TOKENIZER="header", where text
// comes out rather than tokens; and of an encoder of sound SINTER_BANDS, which it takes, and SINTER_TIMES, the members
// of SpeechTimes (its first is 0 where the model knows no times); with what spoken_words.h names each word has a line.
// Of an encoder of other numbers, which lie in a file, SINTER_VALUES is how many the last of their dims has.
#include "encoded_text.h"
#ifdef SINTER_BANDS
#include "sound.h"
#include "speech_windows.h"
#ifdef SINTER_ALIGNMENT_HEADS
#include "spoken_words.h"
#endif
#include "wav.h"
#endif

#include <fstream>
#include <iterator>
#include <string>

namespace {
/// What comes out: text by whole code points, or tokens with blanks between them.
class Output {
public:
#ifdef SINTER_TOKENIZER
  void show(int64_t id) {
    char text[SINTER_TOKENS_TOKEN_BYTES + 4];
    const size_t size = sinter_tokens_stream_next(&bytes, static_cast<int32_t>(id), text, sizeof text, 0);
    std::fwrite(text, 1, size, stdout);
    std::fflush(stdout);
    hasOpenLine = true;
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
    hasOpenLine = true;
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
  if (hasTimes && settings.beams.areOn())
    endWith("beams find no texts with times, and sound that is longer than the encoder hears at once has them: leave "
            "--beams away, or give --beams 1");
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
#elif defined(SINTER_VALUES)
/// Numbers of an encoder's input, the last of whose dims is SINTER_VALUES.
void encodeAll(EncodedText &text, const Settings &settings, Output &output) {
  std::ifstream file(settings.given ? settings.given : "", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<float> values(bytes.size() / sizeof(float));
  std::copy_n(bytes.data(), values.size() * sizeof(float), reinterpret_cast<char *>(values.data()));
  text.encode(values.data(), SINTER_VALUES);
  text.goOn(false, asTheyAre, [&](int64_t id) { output.show(id); }, nothing);
}
#else
std::vector<Ids> sourcesOf(const Settings &settings) {
#ifdef SINTER_TOKENIZER
  if (settings.text)
    return {encodeText(settings.text, 0, 0)}; // the encoder knows what its tokens are
#endif
  return sequencesOf(settings.ids);
}

/// One after the other, a line for each.
void encodeAll(EncodedText &text, const Settings &settings, Output &output) {
  const std::vector<Ids> sources = sourcesOf(settings);
  for (size_t i = 0; i < sources.size(); ++i) {
    const Ids &ids = sources[i];
    if (ids.empty())
      endWith("there is no text to encode");
    if (static_cast<int64_t>(ids.size()) > SIZE(_SESSION_SOURCE))
      endWith("the text has more tokens than the encoder takes: --source says how many");
    text.encode(ids.data(), static_cast<int64_t>(ids.size()));
    text.goOn(false, asTheyAre, [&](int64_t id) { output.show(id); }, nothing, {0, i});
    if (i + 1 < sources.size()) {
      output.endText();
      std::printf("\n");
      output = {};
    }
  }
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
