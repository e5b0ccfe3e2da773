// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of what encoded.cpp hears: which temperatures it is heard with until the text is believed (the library's
// speech_doubt.h, which is before this file), and what is kept of an attempt to judge it.
#pragma once

#include <cmath>
#include <cstdlib>
#include <vector>

/// --temperatures 0,0.2,0.4 and the limits, by transformers' names. Without limits all is believed.
class SpeechAttempts {
public:
  /// False: it is none of these, or no number.
  bool take(const std::string &name, const char *value) {
    if (name == "--temperatures")
      return takeTemperatures(value);
    float *limit = name == "--compression-ratio-threshold" ? &limits.compression_ratio_threshold
                   : name == "--logprob-threshold"         ? &limits.logprob_threshold
                   : name == "--no-speech-threshold"       ? &limits.no_speech_threshold
                                                           : nullptr;
    if (!limit)
      return false;
    char *end = nullptr;
    *limit = std::strtof(value, &end);
    return *value && !*end;
  }

  bool areJudged() const {
    return !std::isnan(limits.compression_ratio_threshold) || !std::isnan(limits.logprob_threshold);
  }
  /// Numbered from 0. The first is as the user's settings have it.
  bool isLast(size_t attempt) const { return !areJudged() || attempt + 1 >= temperatures.size(); }
  /// The draws of each are others.
  void adapt(sinter_sampler &sampler, size_t attempt) const {
    if (!areJudged())
      return;
    sampler.do_sample = temperatures[attempt] > 0;
    sampler.temperature = temperatures[attempt];
    sampler.seed += attempt;
  }

  sinter::SpeechDoubt doubt(const std::vector<int32_t> &tokens, double meanLog, double silence) {
    if (!areJudged())
      return sinter::SpeechDoubt::None;
    bytes.resize(sinter::kMostDeflated);
    scratch.resize(1);
    return sinter::doubtOf(limits, {tokens.data(), static_cast<int32_t>(tokens.size())}, SIZE(_SESSION_VOCABULARY),
                           meanLog, silence, bytes.data(), scratch.data());
  }

private:
  bool takeTemperatures(const char *text) {
    temperatures.clear();
    while (*text) {
      char *end = nullptr;
      const float temperature = std::strtof(text, &end);
      if (end == text || !(temperature >= 0) || (*end && *end != ','))
        return false;
      temperatures.push_back(temperature);
      text = *end ? end + 1 : end;
    }
    return !temperatures.empty();
  }

  sinter::SpeechLimits limits = {NAN, NAN, NAN};
  std::vector<float> temperatures = {0.0f, 0.2f, 0.4f, 0.6f, 0.8f, 1.0f};
  std::vector<uint8_t> bytes;
  std::vector<sinter::DeflateScratch> scratch;
};
