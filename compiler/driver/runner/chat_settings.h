// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of the program that `sinter chat` makes: what chat.cpp says it takes. Words that the program was
// made with come first, so that those of its user win.
#pragma once

#include SINTER_TALK
#include "sampling_words.h"
#include "token_grammar.h"
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
    const bool searched = settings.beams.areOn();
    take(arguments + 1);
    checkBeams(searched);
  }
  ChatSettings settings;

private:
  /// `word` is what it does not take, and why; empty: its user has asked.
  [[noreturn]] void usage(const std::string &word, const char *why) const {
    if (!word.empty())
      std::fprintf(stderr, "sinter: error: %s%s\n", word.c_str(), why);
    std::string text = std::string("usage: ") + program;
    size_t column = 0;
    const auto add = [&](const std::string &each) {
      constexpr size_t width = 96;
      const bool fits = column + 1 + each.size() <= width;
      text += (fits ? " " : "\n       ") + each;
      column = (fits ? column + 1 : 6) + each.size();
    };
    for (const sinter::SettingWord &each : sinter::settingWords)
      if (isOfProgram(each.name))
        add(std::string("[") + each.name + " " + each.shown + "]");
    for (const char *each : {"[--remove-invalid-values]", "[--with ADAPTER[=WEIGHT],...]", "[--stop TEXT]",
                             "[--weights FILE]", "[--stats FILE]"})
      add(each);
    if (hasTemplate)
      add("[--system TEXT]");
    for (const char *each : {"[--plain]", "[[--] PROMPT]"})
      add(each);
    std::fprintf(stderr, "%s\n%s", text.c_str(),
                 hasTemplate ? "Answers PROMPT, or each line of stdin; --plain goes on from it instead.\n"
                             : "Goes on from PROMPT, or from each line of stdin.\n");
    std::exit(word.empty() ? 0 : 2);
  }
  [[noreturn]] static void refuse(const std::string &what, const std::string &hint) {
    std::fprintf(stderr, "sinter: error: %s\nsinter: hint: %s\n", what.c_str(), hint.c_str());
    std::exit(2);
  }
  /// States that contrastive search compares are there only where the program is made for it.
  static bool isOfProgram(const std::string &name) {
#if SIZE(_SESSION_HIDDEN)
    (void)name;
    return true;
#else
    return name != "--penalty-alpha";
#endif
  }
  static bool takesValue(const std::string &name) {
    if (name == "--system")
      return hasTemplate;
    for (const char *each : {"--stop", "--stats", "--weights", "--given", "--with"})
      if (name == each)
        return true;
    return sinter::settingOf(name) && isOfProgram(name);
  }

  /// `searched`: the program was made so, with what goes with beams.
  void checkBeams(bool searched) const {
    if (!settings.beams.areOn())
      return;
    const char *const what =
        TokenGrammar::isThere                  ? "a grammar: it allows tokens of one text, and beams are several"
        : settings.sampling.penaltyAlpha() > 0 ? "contrastive search: it chooses among tokens of one text"
        : SIZE(_SESSION_ROWS) > 1 && !searched ? "drafts: they are of one text, and beams are several"
                                               : nullptr;
    if (what)
      refuse("--beams " + std::to_string(settings.beams.count) + ": this program is made with " + what,
             "leave --beams out, or make a program without it by `sinter chat`");
  }
  template <class Words>
  void take(Words words) {
    for (; *words; ++words) {
      std::string name = *words;
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
      } else {
        const size_t end = name.find('=');
        const std::string joined = end == std::string::npos ? "" : name.substr(end + 1);
        name.resize(end == std::string::npos ? name.size() : end);
        if (!takesValue(name))
          usage(name, ": there is no such flag");
        if (end == std::string::npos && !*++words)
          usage(name, ": its value is missing");
        setTo(name, end == std::string::npos ? *words : joined.c_str());
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
      const sinter::SettingWord *setting = sinter::settingOf(name);
      refuse(name + " " + value + " is no value that it takes",
             setting ? std::string("it takes ") + setting->values : "--help lists the flags");
    }
  }

#ifdef SINTER_CHAT
  static constexpr bool hasTemplate = true;
#else
  static constexpr bool hasTemplate = false;
#endif
  const char *program;
};
