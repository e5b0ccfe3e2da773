// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program that `sinter chat` makes of a decoder and its tokenizer: text in, text out.
//   chat [--tokens N] [--temperature T] [--top-k N] [--top-p P] [--min-p P] [--repetition-penalty R] [--seed N]
//        [--stop TEXT] [--weights FILE] [[--] PROMPT]
// Goes on from PROMPT, or without one from each line of stdin, behind all that was said before. Besides the macros of
// session_program.h it is compiled with SINTER_TOKENIZER="header of the tokenizer", whose names begin with
// `sinter_tokens`, SINTER_STOPS=2,7, (tokens that end a text) and, where weights are no part of the program,
// SINTER_WEIGHTS="file beside it".
#include SINTER_TOKENIZER
#include "clock.h"
#include "token_sampler.h"

#include <string>

namespace {

struct Settings {
  SamplingWords sampling;
  long tokens = 256;
  std::string stop, weights, prompt;
  bool hasPrompt = false;
};

[[noreturn]] void usage(const char *program) {
  std::fprintf(stderr,
               "usage: %s [--tokens N] [--temperature T] [--top-k N] [--top-p P] [--min-p P] [--repetition-penalty R]\n"
               "       [--seed N] [--stop TEXT] [--weights FILE] [[--] PROMPT]\n"
               "Goes on from PROMPT, or from each line of stdin.\n",
               program);
  std::exit(2);
}

Settings parse(char **arguments) {
  Settings settings;
  const char *program = *arguments;
  for (++arguments; *arguments; ++arguments) {
    const std::string name = *arguments;
    const bool isLast = name == "--" && arguments[1]; // the prompt, whatever it begins with
    if (name.compare(0, 2, "--") != 0 || isLast || settings.hasPrompt) {
      if (settings.hasPrompt)
        usage(program);
      settings.prompt = isLast ? *++arguments : name;
      settings.hasPrompt = true;
      continue;
    }
    const char *value = *++arguments;
    if (!value)
      usage(program);
    if (name == "--stop")
      settings.stop = value;
    else if (name == "--weights")
      settings.weights = value;
    else if (name == "--tokens" && std::atol(value) > 0)
      settings.tokens = std::atol(value);
    else if (!settings.sampling.take(name, value))
      usage(program);
  }
  return settings;
}

/// Where the program lies, and a file beside it.
std::string besideProgram(const std::string &program, const char *file) {
  const size_t end = program.find_last_of("/\\");
  return end == std::string::npos ? file : program.substr(0, end + 1) + file;
}

std::vector<int64_t> encode(const std::string &text, uint32_t flags) {
  std::vector<int32_t> ids(text.size() + 16);
  for (;;) {
    const int64_t count = sinter_tokens_encode(text.data(), text.size(), ids.data(), ids.size(), flags);
    if (count < 0)
      endWith("the prompt is too long for the tokenizer, or there is no memory for it");
    const bool isAll = static_cast<size_t>(count) <= ids.size();
    ids.resize(static_cast<size_t>(count));
    if (isAll)
      break;
  }
  for (int32_t id : ids)
    if (id >= SIZE(_SESSION_VOCABULARY))
      endWith("a token of the prompt is none of the model's: is the tokenizer that of another model?");
  return {ids.begin(), ids.end()};
}

/// What goes on.
class Chat {
public:
  explicit Chat(const Settings &settings)
      : settings(settings), sampler(settings.sampling.all()), stop{settings.stop.data(), settings.stop.size()},
        held(sinter::text_stream_bytes(mostBytes, settings.stop.size())) {
    env.size = sizeof env;
    if (!settings.weights.empty())
      env.weights = mappedFile(settings.weights.c_str());
    memory = ::operator new(NET(_session_bytes)(), alignment);
    if (int status = NET(_session_init)(&session, memory, &env))
      endWithStatus(status);
  }
  Chat(const Chat &) = delete;
  Chat &operator=(const Chat &) = delete;
  ~Chat() { ::operator delete(memory, alignment); }

  /// Appends a text and writes what follows it.
  void goOn(const std::string &text) {
    std::vector<int64_t> ids = encode(text, session.length ? SINTER_TOKENS_BARE : 0);
    if (waiting >= 0)
      ids.insert(ids.begin(), waiting);
    waiting = -1;
    if (ids.empty())
      return;
    sampler.append(0, ids.data(), ids.size());
    const int64_t begin = now();
    if (int status = NET(_prefill)(&session, ids.data(), static_cast<int64_t>(ids.size())))
      endWithStatus(status);
    const int64_t prefilled = now();
    long made = 0;
    bool isFull = false;
    sinter::TextStream stream(&stop, stop.size ? 1 : 0, false, held.data(), held.size());
    sinter_tokens_stream bytes = {};
    char token[mostBytes];
    for (; made < settings.tokens; ++made) {
      const int64_t id = sampler.next(session.logits, 0);
      if (isEnd(id)) {
        waiting = id; // chosen, and not yet part of the session
        break;
      }
      const size_t size = sinter_tokens_stream_next(&bytes, static_cast<int32_t>(id), token, sizeof token, 0);
      show(stream.add({token, size}));
      if (stream.isStopped() || session.length >= SIZE(_SESSION_CONTEXT)) {
        waiting = id;
        isFull = !stream.isStopped();
        break;
      }
      if (int status = NET(_step)(&session, &id, nullptr))
        endWithStatus(status);
    }
    const size_t size = sinter_tokens_stream_end(&bytes, token, sizeof token);
    if (!stream.isStopped()) {
      show(stream.add({token, size}));
      show(stream.finish());
    }
    std::printf("\n");
    std::fflush(stdout);
    if (isFull)
      std::fprintf(stderr, "the context of %lld tokens is full\n", static_cast<long long>(SIZE(_SESSION_CONTEXT)));
    std::fprintf(stderr, "%zu tokens at %.1f/s, then %ld at %.1f/s\n", ids.size(), rate(ids.size(), begin, prefilled),
                 made, rate(static_cast<size_t>(made), prefilled, now()));
  }

private:
  static constexpr size_t mostBytes = SINTER_TOKENS_TOKEN_BYTES + 4; ///< that a token shows, with those held before it

  static double rate(size_t count, int64_t from, int64_t to) {
    const double seconds = secondsBetween(from, to);
    return seconds > 0 ? static_cast<double>(count) / seconds : 0;
  }
  static bool isEnd(int64_t id) {
    const int64_t ends[] = {SINTER_STOPS - 1};
    for (int64_t end : ends)
      if (id == end)
        return true;
    return false;
  }
  static void show(sinter_string text) {
    std::fwrite(text.data, 1, text.size, stdout);
    std::fflush(stdout);
  }

  const Settings &settings;
  TokenSampler sampler;
  sinter_string stop;
  std::vector<char> held;
  sinter_env env = {};
  void *memory;
  NET(_session) session;
  int64_t waiting = -1;
};
} // namespace

int main(int, char **arguments) {
  Settings settings = parse(arguments);
#ifdef SINTER_WEIGHTS
  if (settings.weights.empty())
    settings.weights = besideProgram(arguments[0], SINTER_WEIGHTS);
#endif
  static_assert(SIZE(_SESSION_BATCH) == 1, "one text");
  Chat chat(settings);
  if (settings.hasPrompt) {
    chat.goOn(settings.prompt);
    return 0;
  }
  std::string line;
  for (int c; (c = std::getchar()) != EOF;)
    if (c == '\n') {
      chat.goOn(line);
      line.clear();
    } else {
      line += static_cast<char>(c);
    }
  if (!line.empty())
    chat.goOn(line);
  return 0;
}
