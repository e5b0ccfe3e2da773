// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What encoded.cpp is told: by its user's words, and by the configuration that it is compiled with.
#pragma once

#include "token_ids.h"
#include "token_sampler.h"
// The library's, as all headers before it.
#include "adapter_words.h"
#include "speech_attempts.h"

#include <string>
#include <vector>

/// Lists of macros, which end in a token that is none. A configuration may be that of another model: its tokens are
/// places in rows of logits here.
template <size_t count>
Ids listOf(const int64_t (&ids)[count]) {
  for (int64_t id : ids)
    requireOfModel(id);
  return {ids, ids + count - 1};
}

struct Settings {
  SamplingWords sampling;
  AdapterWords adapters;
  SpeechAttempts attempts;
  TextLimit limit;
  BeamWords beams;
  bool hasTimestamps = false;
  const char *text = nullptr, *ids = nullptr, *sound = nullptr, *stats = nullptr, *weights = nullptr, *given = nullptr;
};

inline Settings parse(char **arguments) {
  Settings settings;
  for (char **word = arguments + 1; word[0]; ++word) {
    if (settings.sampling.takeSwitch(word[0]))
      continue;
    const std::string name = *word++;
    if (!*word)
      endWith((name + " has no value").c_str(), "a name and a value are two words");
    const char *value = *word;
    if (name == "--timestamps")
      settings.hasTimestamps = true;
    else if (name == "--text")
      settings.text = value;
    else if (name == "--ids")
      settings.ids = value;
    else if (name == "--sound")
      settings.sound = value;
    else if (name == "--given")
      settings.given = value;
    else if (name == "--stats")
      settings.stats = value;
    else if (name == "--weights")
      settings.weights = value;
    else if (!settings.limit.take(name, value) && !settings.beams.take(name, value) &&
             !settings.sampling.take(name, value) && !settings.adapters.take(name, value) &&
             !settings.attempts.take(name, value))
      endWithSetting(name, value);
  }
  return settings;
}
