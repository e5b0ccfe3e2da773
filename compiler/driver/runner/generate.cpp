// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main function of the program that `sinter generate` makes of a decoder: it appends a prompt to a session and goes
// on token by token. Compiled with SINTER_SESSION="kws_session.h", SINTER_PREFIX=kws and SINTER_MACRO=KWS.
//   generate IDS STOP STATS WEIGHTS [SETTING [VALUE]]...
// IDS are tokens with commas between them, of several sequences with semicolons. STOP are tokens at which a sequence
// ends, or nothing. Tokens go to stdout as they are made, of one sequence with blanks between them, of several a line
// each at the end. STATS gets the numbers of tokens and seconds of prompt and steps. WEIGHTS is their file, or nothing.
// Settings are those of sampling_words.h and AdapterWords, and --given FILE (given_rows.h).
#include "clock.h"
#include "given_rows.h"
#include "session_beams.h"
#include "session_contrast.h"
#include "session_steps.h"
#include "token_ids.h"
// Behind the library.
#include "adapter_words.h"

int main(int, char **arguments) {
  std::vector<Ids> sequences = sequencesOf(arguments[1]);
  const Ids stops = *arguments[2] ? sequencesOf(arguments[2])[0] : Ids();
  const void *weights = weightsIn(arguments[4]);
  OwnSession<Net> own(weights);
  NET(_session) &session = own.session;

  SamplingWords settings;
  std::string givenFile;
  const auto takeGiven = [&](const std::string &name, const char *value) {
    return name == "--given" ? givenFile = value, true : false;
  };
  AdapterWords adapters;
  BeamWords beams;
  TextLimit limit;
  for (char **word = arguments + 5; *word; word += settings.takeSwitch(*word) ? 1 : 2)
    if (!settings.takeSwitch(*word) && !takeGiven(word[0], word[1]) && !limit.take(word[0], word[1]) &&
        !beams.take(word[0], word[1]) && !settings.take(word[0], word[1]) && !adapters.take(word[0], word[1]))
      endWith((std::string(word[0]) + " " + word[1] + " is no setting of this model's sampler").c_str());
  adapters.setTo(session);
  const GivenInputs given(session, givenFile.c_str());
  sequences[0] = given.expanded(sequences[0]);
  const size_t batch = sequences.size(), count = sequences[0].size();
  TokenSampler sampler(settings.all(), stops);
  SessionContrast contrast(session, settings);
  const long wanted = limit.behind(count);
  Ids prompt;
  for (size_t i = 0; i < batch; ++i) {
    sampler.setText(i, sequences[i].data(), count, wanted);
    prompt.insert(prompt.end(), sequences[i].begin(), sequences[i].end());
  }
  const int64_t begin = now();
  const auto prefill = [&](const int64_t *ids, int64_t fresh) { return contrast.prefill(ids, fresh); };
  if (int status = batch > 1 ? prefill(prompt.data(), static_cast<int64_t>(count)) : given.append(prompt, 0, prefill))
    endWithStatus(status);
  const int64_t prefilled = now();
  const TokenGrammar anyToken({});
  SessionSteps steps(session, weights, sampler, {stops.begin(), stops.end()});
  steps.begin();
  std::vector<Ids> made(batch);
  std::vector<bool> hasEnded(batch);
  if (beams.areOn()) {
    made[0] =
        SessionBeams(weights, beams)
            .search(session, sequences[0], settings.all(), stops, wanted, {sequences[0].begin(), sequences[0].end()});
    steps.calls = static_cast<int64_t>(made[0].size());
    printIds(made[0]);
  }
  long chosen = 0;
  for (; !beams.areOn(); ++chosen) {
    bool goesOn = false;
    for (size_t i = 0; i < batch; ++i) {
      const float *row = steps.logits() + i * SIZE(_SESSION_VOCABULARY);
      const int64_t id = contrast.isOn() ? contrast.next(sampler, row, nullptr) : sampler.next(row, i);
      if (contrast.isOn())
        steps.follow(contrast.calls());
      if (!hasEnded[i])
        made[i].push_back(id);
      for (int64_t stop : stops)
        hasEnded[i] = hasEnded[i] || id == stop;
      goesOn = goesOn || !hasEnded[i];
    }
    if (batch == 1) {
      std::printf("%s%lld", chosen ? " " : "", static_cast<long long>(made[0].back()));
      std::fflush(stdout);
    }
    if (!goesOn || chosen + 1 >= wanted)
      break;
    if (contrast.isOn())
      continue;
    if (int status = steps.takeChosen(wanted - chosen - 1, anyToken))
      endWithStatus(status);
  }
  const int64_t ended = now();
  for (size_t i = 0; batch > 1 && i < batch; ++i) {
    printIds(made[i]);
    std::printf(i + 1 < batch ? "\n" : "");
  }
  std::printf("\n");
  if (std::FILE *stats = std::fopen(arguments[3], "w")) {
    std::fprintf(stats, "%zu %.9f %lld %.9f\n", count, secondsBetween(begin, prefilled),
                 static_cast<long long>(steps.calls), secondsBetween(prefilled, ended));
    std::fclose(stats);
  }
  return 0;
}
