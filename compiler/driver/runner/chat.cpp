// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program that `sinter chat` makes of a decoder and its tokenizer: text in, text out.
//   chat [--tokens N] [--temperature T] ... [--stop TEXT] [--weights FILE] [--system TEXT] [--plain] [[--] PROMPT]
// With a chat template PROMPT, or without one each line of stdin, is a turn of a conversation, and gets an answer.
// Without one, or with --plain, text goes on: from PROMPT, or from each line behind all that was said before. --stats
// FILE gets the numbers of tokens and seconds of the last prompt and of what followed, as of generate.cpp. Besides
// the macros of session_program.h it is compiled with SINTER_TALK="header that text_program.cpp writes".
#include "text_session.h"
#ifdef SINTER_CHAT
#include "conversation.h"
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace {

/// Where the program lies, and a file beside it.
[[maybe_unused]] std::string besideProgram(const std::string &program, const char *file) {
  const size_t end = program.find_last_of("/\\");
  return end == std::string::npos ? file : program.substr(0, end + 1) + file;
}

/// Somebody types, and wants to see when it is their turn.
bool isTyped() {
#if defined(__unix__) || defined(__APPLE__)
  return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
#else
  return false;
#endif
}

/// Text without turns.
class PlainText {
public:
  PlainText(const ChatSettings &settings, TextSession &session) : isOnly(settings.hasPrompt), session(session) {}
  void turn(const std::string &line) {
    std::vector<int64_t> ids = session.text();
    const bool isFirst = ids.empty();
    if (isFirst && beginToken >= 0)
      ids.push_back(beginToken);
    const std::vector<int64_t> added = encodeText(line, isFirst ? 0 : SINTER_TOKENS_BARE, SIZE(_SESSION_VOCABULARY));
    ids.insert(ids.end(), added.begin(), added.end());
    if (ids.size() > session.text().size() || !isFirst)
      session.goOnFrom(ids, /*isOneText=*/true);
    else if (isOnly)
      endWith("there is no text to go on from", "a prompt of one character or more");
    else
      std::fprintf(stderr, "there is no text to go on from\n");
  }

private:
  bool isOnly; ///< no other text will come
  TextSession &session;
};

template <class Talk>
void talk(const ChatSettings &settings, Talk talk) {
  if (settings.hasPrompt)
    return talk.turn(settings.prompt);
  const bool asks = isTyped();
  const auto ask = [&] {
    if (asks)
      std::fprintf(stderr, "> ");
  };
  ask();
  std::string line;
  for (int c; (c = std::getchar()) != EOF;)
    if (c == '\n') {
      talk.turn(line);
      line.clear();
      ask();
    } else {
      line += static_cast<char>(c);
    }
  if (!line.empty())
    talk.turn(line);
}
} // namespace

int main(int, char **arguments) {
  ChatSettings settings = ChatWords(arguments).settings;
  requireStatsFile(settings.stats.c_str());
#ifdef SINTER_WEIGHTS
  if (settings.weights.empty())
    settings.weights = besideProgram(arguments[0], SINTER_WEIGHTS);
#endif
  static_assert(SIZE(_SESSION_BATCH) == 1, "one text");
  TextSession session(settings);
#ifdef SINTER_CHAT
  if (!settings.isPlain)
    talk(settings, Conversation(settings, session));
  else
#endif
    talk(settings, PlainText(settings, session));
  return 0;
}
