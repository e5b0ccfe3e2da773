// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of the program that `sinter chat` makes: what chat.cpp says it takes. Words that the program was
// made with come first, so that those of its user win.
#pragma once

#include SINTER_TALK
#include "sampling_words.h"
// The library's, as all headers before it.
#include "adapter_words.h"

#include <string>

struct ChatSettings {
  SamplingWords sampling;
  AdapterWords adapters;
  TextLimit limit;
  BeamWords beams;
  std::string stop, weights, stats, prompt, system, given;
  bool hasPrompt = false, hasSystem = false, isPlain = false;
};

class ChatWords {
public:
  explicit ChatWords(char **arguments) : program(*arguments) {
    take(firstWords);
    take(arguments + 1);
  }
  ChatSettings settings;

private:
  /// `word` is what it does not take, and why; empty: its user has asked.
  [[noreturn]] void usage(const std::string &word, const char *why) const {
    if (!word.empty())
      std::fprintf(stderr, "sinter: error: %s%s\n", word.c_str(), why);
    std::fprintf(
        stderr,
        "usage: %s [--tokens N] [--temperature T] [--top-k N] [--top-p P] [--min-p P] [--repetition-penalty R]\n"
        "       [--remove-invalid-values] [--seed N] [--beams N] [--beam-groups N] [--with ADAPTER[=WEIGHT],...] "
        "[--stop TEXT] [--weights FILE]\n"
        "       [--system TEXT] [--plain] [[--] PROMPT]\n"
        "%s",
        program,
        hasTemplate ? "Answers PROMPT, or each line of stdin; --plain goes on from it instead.\n"
                    : "Goes on from PROMPT, or from each line of stdin.\n");
    std::exit(word.empty() ? 0 : 2);
  }
  template <class Words>
  void take(Words words) {
    for (; *words; ++words) {
      const std::string name = *words;
      const bool isLast = name == "--" && words[1]; // the prompt, whatever it begins with
      if (name.compare(0, 2, "--") != 0 || isLast || settings.hasPrompt) {
        if (settings.hasPrompt)
          usage(*words,
                " stands behind the prompt, which is the last word: flags go before it, quotes keep it together");
        settings.prompt = isLast ? *++words : name;
        settings.hasPrompt = true;
      } else if (name == "--help") {
        usage("", "");
      } else if (name == "--plain") {
        settings.isPlain = true;
      } else if (settings.sampling.takeSwitch(name)) {
        continue;
      } else if (const char *value = *++words) {
        setTo(name, value);
      } else {
        usage(name, ": its value is missing, or there is no such flag");
      }
    }
  }
  void setTo(const std::string &name, const char *value) {
    if (name == "--stop") {
      settings.stop = value;
    } else if (name == "--stats") {
      settings.stats = value;
#ifdef SINTER_GIVEN
    } else if (name == "--given") {
      settings.given = value;
#endif
    } else if (name == "--weights") {
      settings.weights = value;
    } else if (name == "--system" && hasTemplate) {
      settings.system = value;
      settings.hasSystem = true;
    } else if (!settings.limit.take(name, value) && !settings.beams.take(name, value) &&
               !settings.sampling.take(name, value) && !settings.adapters.take(name, value)) {
      usage(name + " " + value, ": there is no such flag, or it takes no such value");
    }
  }

#ifdef SINTER_CHAT
  static constexpr bool hasTemplate = true;
#else
  static constexpr bool hasTemplate = false;
#endif
  const char *program;
};
