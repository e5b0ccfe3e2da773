// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes down a recording with the times of its parts: an encoder and a decoder that Sinter compiled, and the library's
// headers for the features of sound and for times. Sound of any length: the encoder hears two seconds at once, and goes
// on from where the last whole part ended.
//   listen FILE.wav [de]     16 kHz, 16 bits, one channel; words are English, or German
#include "whisper_session.h"
#include "whisper_tokens.h"

#include "runtime-lite/generation/log_mel.h"
#include "runtime-lite/generation/speech_times.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int32_t bands = 80, vocabulary = WHISPER_SESSION_VOCABULARY;
constexpr int64_t window = WHISPER_SESSION_SOURCE; // frames that are encoded at once
// Tokens of the net, as generation_config.json has them.
constexpr int32_t end = 94, begin = 95, english = 96, german = 97, transcribe = 99, firstTime = 101;
constexpr sinter::SpeechTimes times = {firstTime, end, 50};

alignas(WHISPER_SESSION_ALIGN) static unsigned char memory[WHISPER_SESSION_BYTES]; // caches, logits, arena

static int fail(const char *what) {
  std::fprintf(stderr, "%s\n", what);
  return 1;
}

static std::vector<float> samplesOf(const char *path) {
  std::vector<float> samples;
  if (std::FILE *file = std::fopen(path, "rb")) {
    std::fseek(file, 44, SEEK_SET); // behind the usual header
    for (int16_t sample; std::fread(&sample, sizeof sample, 1, file) == 1;)
      samples.push_back(static_cast<float>(sample) / 32768);
    std::fclose(file);
  }
  return samples;
}

/// The tokens of what is encoded, without the end. The status of the call that failed, or 0.
static int write(whisper_session &session, int32_t language, std::vector<int32_t> &made) {
  const int64_t prompt[] = {begin, language, transcribe};
  for (int64_t id : prompt)
    if (int status = whisper_step(&session, &id, nullptr))
      return status;
  std::vector<float> logits(vocabulary);
  made.clear();
  while (session.length < WHISPER_SESSION_CONTEXT) {
    std::copy(session.logits, session.logits + vocabulary, logits.begin());
    sinter::keepTimesInOrder(times, {made.data(), static_cast<int32_t>(made.size())}, logits.data(), vocabulary);
    const auto id = static_cast<int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    if (id == end)
      break;
    made.push_back(id);
    const int64_t next = id;
    if (int status = whisper_step(&session, &next, nullptr))
      return status;
  }
  return 0;
}

static void show(const std::vector<int32_t> &made, const sinter::SpeechPart &part, double from) {
  std::vector<int32_t> words;
  for (int32_t i = part.from; i < part.to; ++i)
    if (made[static_cast<size_t>(i)] < firstTime)
      words.push_back(made[static_cast<size_t>(i)]);
  if (words.empty())
    return;
  std::printf("[%.2f --> %.2f]", from + part.begin * sinter::kSecondsOfTimeStep,
              from + part.end * sinter::kSecondsOfTimeStep);
  whisper_tokens_stream stream = {};
  char text[WHISPER_TOKENS_TOKEN_BYTES + 4];
  for (int32_t id : words)
    std::fwrite(text, 1, whisper_tokens_stream_next(&stream, id, text, sizeof text, 0), stdout);
  std::printf("\n");
}

int main(int count, char **arguments) {
  if (count < 2)
    return fail("listen FILE.wav [de]");
  const std::vector<float> samples = samplesOf(arguments[1]);
  if (samples.empty())
    return fail("there is no sound in the file");
  const int32_t language = count > 2 && std::strcmp(arguments[2], "de") == 0 ? german : english;

  // Of the whole sound at once, as its loudest part is what others are measured by.
  const auto all = static_cast<int64_t>(samples.size());
  const int64_t frames = std::max(window, all / sinter::kFrameHop);
  std::vector<float> features(static_cast<size_t>(bands * frames)), part(static_cast<size_t>(bands * window));
  sinter::logMel(samples.data(), all, bands, frames, features.data());

  whisper_session session;
  if (int status = whisper_session_init(&session, memory, nullptr))
    return fail(sinter_text_of_status(status));
  std::vector<int32_t> made;
  for (int64_t at = 0, heard = 0; at < frames; at += heard) {
    const int64_t held = std::min(window, frames - at);
    std::fill(part.begin(), part.end(), 0.0f);
    for (int64_t band = 0; band < bands; ++band)
      std::copy_n(features.begin() + band * frames + at, held, part.begin() + band * window);
    int status = whisper_encode(&session, part.data(), window);
    if (status == 0)
      status = write(session, language, made);
    if (status)
      return fail(sinter_text_of_status(status));
    std::vector<sinter::SpeechPart> parts(made.size() + 1);
    const int32_t found =
        sinter::speechParts(times, {made.data(), static_cast<int32_t>(made.size())}, held, parts.data(), &heard);
    for (int32_t i = 0; i < found; ++i)
      show(made, parts[static_cast<size_t>(i)], static_cast<double>(at) / 100);
  }
  return 0;
}
