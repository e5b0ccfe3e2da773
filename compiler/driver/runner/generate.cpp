// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main function of the program that `sinter generate` makes of a decoder: it appends a prompt to a session and goes
// on token by token. Compiled with SINTER_SESSION="kws_session.h", SINTER_PREFIX=kws and SINTER_MACRO=KWS.
//   generate IDS STOP STATS WEIGHTS [SETTING [VALUE]]...
// IDS are tokens with commas between them, of several sequences with semicolons: as many as the session holds go on
// side by side, shorter ones behind padding, and those behind them begin anew. STOP are tokens at which a sequence
// ends, or nothing. Tokens go to stdout, a line for each sequence with blanks between them: as they are made, or at the
// end of those side by side. STATS gets the numbers of tokens and seconds of prompts and steps. WEIGHTS is their file,
// or nothing. Settings are those of sampling_words.h and AdapterWords, and --given FILE (given_rows.h).
#include "clock.h"
#include "given_rows.h"
#include "session_beams.h"
#include "session_contrast.h"
#include "session_steps.h"
#include "stats_file.h"
#include "token_ids.h"
// Behind the library.
#include "adapter_words.h"

#include <algorithm>
#include <string>
#include <vector>

namespace {
/// What the program is told of choosing tokens.
struct Told {
  SamplingWords settings;
  AdapterWords adapters;
  BeamWords beams;
  TextLimit limit;
  std::string givenFile;

  explicit Told(char **word) {
    for (; *word; word += settings.takeSwitch(*word) ? 1 : 2)
      if (!settings.takeSwitch(*word) && !takeGiven(word[0], word[1]) && !limit.take(word[0], word[1]) &&
          !beams.take(word[0], word[1]) && !settings.take(word[0], word[1]) && !adapters.take(word[0], word[1]))
        endWithSetting(word[0], word[1]);
  }

private:
  bool takeGiven(const std::string &name, const char *value) {
    return name == "--given" ? givenFile = value, true : false;
  }
};

/// As many sequences as the session holds, and what follows them.
class SideBySide {
public:
  static constexpr size_t batch = SIZE(_SESSION_BATCH);

  /// `first`: how many sequences came before, which numbers draws.
  SideBySide(NET(_session) & session, const void *weights, const Told &told, const Ids &stops, const Ids *sequences,
             size_t first)
      : session(session), told(told), stops(stops), sequences(sequences), sampler(told.settings.all(), stops, first),
        contrast(session, told.settings), steps(session, weights, sampler, {stops.begin(), stops.end()}), made(batch) {
    for (size_t i = 0; i < batch; ++i) {
      const Ids &sequence = sequences[i];
      longest = std::max(longest, sequence.size());
      wanted.push_back(told.limit.behind(sequence.size()));
      sampler.setText(i, sequence.data(), sequence.size(), wanted.back());
    }
    // The last token need not be in the caches, where it is not looked at before it is chosen.
    room = static_cast<long>(SIZE(_SESSION_CONTEXT)) - static_cast<long>(longest) + (contrast.isOn() ? 0 : 1);
    for (long &each : wanted)
      each = std::min(each, room);
  }

  /// Whether the context is why a sequence is no longer.
  bool filledContext = false;

  /// Of the longest sequence.
  size_t promptTokens() const { return longest; }

  /// Appends the prompts.
  void begin(const GivenInputs &given) {
    const auto prefill = [&](const int64_t *ids, int64_t fresh) { return contrast.prefill(ids, fresh); };
    Ids prompt;
    for (size_t i = 0; i < batch; ++i) {
      const size_t pads = longest - sequences[i].size();
#if SIZE(_SESSION_PADS)
      session.pads[i] = static_cast<int64_t>(pads);
#else
      if (pads > 0)
        endWith("the model takes sequences side by side, and these of one length alone");
#endif
      prompt.insert(prompt.end(), pads, 0);
      prompt.insert(prompt.end(), sequences[i].begin(), sequences[i].end());
    }
    if (int status =
            batch > 1 ? prefill(prompt.data(), static_cast<int64_t>(longest)) : given.append(prompt, 0, prefill))
      endWithStatus(status);
    steps.begin();
  }

  /// Shows what follows, in this many calls.
  int64_t goOn(const void *weights) {
    if (told.beams.areOn()) {
      const Ids best = SessionBeams(weights, told.beams)
                           .search(session, sequences[0], told.settings.all(), stops, wanted[0],
                                   {sequences[0].begin(), sequences[0].end()});
      made[0] = best;
      noteRoom(0);
      printIds(best);
      std::printf("\n");
      return static_cast<int64_t>(best.size());
    }
    const TokenGrammar anyToken({});
    const long most = *std::max_element(wanted.begin(), wanted.end());
    for (long chosen = 1; takeNext(); ++chosen)
      if (int status = contrast.isOn() ? SINTER_OK : steps.takeChosen(most - chosen, anyToken))
        endWithStatus(status);
    for (size_t i = 0; i < batch; ++i) {
      noteRoom(i);
      if (batch > 1)
        printIds(made[i]);
      std::printf("\n");
    }
    hasOpenLine = false;
    return steps.calls;
  }

private:
  /// Chooses a token of each; false: all have ended.
  bool takeNext() {
    bool goesOn = false;
    for (size_t i = 0; i < batch; ++i) {
      if (hasEnded(i))
        continue; // what it goes on with is looked at by nobody
      const float *row = steps.logits() + i * SIZE(_SESSION_VOCABULARY);
      const int64_t id = contrast.isOn() ? contrast.next(sampler, row, nullptr) : sampler.next(row, i);
      if (contrast.isOn())
        steps.follow(contrast.calls());
      made[i].push_back(id);
      if (batch == 1) {
        std::printf("%s%lld", made[i].size() > 1 ? " " : "", static_cast<long long>(id));
        hasOpenLine = true;
      }
      goesOn = goesOn || !hasEnded(i);
    }
    std::fflush(stdout);
    return goesOn;
  }
  bool isStopped(size_t i) const {
    return !made[i].empty() && std::find(stops.begin(), stops.end(), made[i].back()) != stops.end();
  }
  bool hasEnded(size_t i) const { return static_cast<long>(made[i].size()) >= wanted[i] || isStopped(i); }
  void noteRoom(size_t i) {
    filledContext = filledContext || (static_cast<long>(made[i].size()) >= room && !isStopped(i));
  }

  NET(_session) & session;
  const Told &told;
  const Ids &stops;
  const Ids *sequences;
  size_t longest = 0;
  std::vector<long> wanted; ///< of each sequence, how many tokens may follow
  long room = 0;            ///< how many the context has room for
  TokenSampler sampler;
  SessionContrast contrast;
  SessionSteps steps;
  std::vector<Ids> made;
};
} // namespace

int main(int, char **arguments) {
  std::vector<Ids> sequences = sequencesOf(arguments[1]);
  const Ids stops = *arguments[2] ? sequencesOf(arguments[2])[0] : Ids();
  const void *weights = weightsIn(arguments[4]);
  OwnSession<Net> own(weights);
  const Told told(arguments + 5);
  told.adapters.setTo(own.session);
  const GivenInputs given(own.session, told.givenFile.c_str());
  sequences[0] = given.expanded(sequences[0]);
  if (sequences.size() % SideBySide::batch != 0)
    endWith(("the model takes " + std::to_string(SideBySide::batch) + " sequences in each call, and " +
             std::to_string(sequences.size()) + " are given")
                .c_str());
  for (const Ids &sequence : sequences)
    requireRoomFor(sequence.size());
  size_t prompt = 0;
  int64_t calls = 0;
  bool filledContext = false;
  double promptSeconds = 0, seconds = 0;
  for (size_t first = 0; first < sequences.size(); first += SideBySide::batch) {
    if (int status = NET(_rewind)(&own.session, 0))
      endWithStatus(status);
    SideBySide texts(own.session, weights, told, stops, &sequences[first], first);
    const int64_t begin = now();
    texts.begin(given);
    const int64_t prefilled = now();
    calls += texts.goOn(weights);
    prompt += texts.promptTokens();
    filledContext |= texts.filledContext;
    promptSeconds += secondsBetween(begin, prefilled);
    seconds += secondsBetween(prefilled, now());
  }
  std::fflush(stdout);
  if (filledContext)
    std::fprintf(stderr, "the context of %lld tokens is full: --context N makes more room\n",
                 static_cast<long long>(SIZE(_SESSION_CONTEXT)));
  writeStatsTo(arguments[3], static_cast<long long>(prompt), promptSeconds, static_cast<long long>(calls), seconds);
  return 0;
}
