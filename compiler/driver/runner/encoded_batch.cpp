// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main function of the program that `sinter generate` makes of an encoder-decoder for several sequences of one
// length: they are encoded side by side, their texts go on in the same calls, and each ends by itself.
//   encoded_batch --ids IDS [--tokens N] [--stats FILE] [--weights FILE] [SETTING VALUE]...
// IDS are tokens with commas between them, of sequences with semicolons. Each text is a line of tokens. It is compiled
// as encoded.cpp is.
#include "clock.h"
#include "encoded_settings.h"
// Behind the library, which comes with the settings.
#include "stats_file.h"
#include "token_sampler.h"

#include <algorithm>

namespace {
class EncodedBatch {
public:
  explicit EncodedBatch(const Settings &settings) : settings(settings), own(weightsIn(settings.weights)) {
    settings.adapters.setTo(session);
  }

  /// The texts behind what texts begin with, each with the token that ends it, if one does.
  std::vector<Ids> textsOf(const std::vector<Ids> &sources) {
    Ids all;
    for (const Ids &source : sources)
      all.insert(all.end(), source.begin(), source.end());
    const auto length = static_cast<int64_t>(sources[0].size());
    if (length > SIZE(_SESSION_SOURCE))
      endWith("the text has more tokens than the encoder takes", "--source N says how many");
    const int64_t from = now();
    check(NET(_encode)(&session, all.data(), length));
    const int64_t encoded = now();
    encodeSeconds = secondsBetween(from, encoded);
    const Ids begin = listOf({SINTER_BEGIN - 1}), ends = listOf({SINTER_STOPS - 1});
    for (const int64_t id : begin)
      check(NET(_step)(&session, Ids(batch, id).data(), nullptr));
    const long room = static_cast<long>(SIZE(_SESSION_CONTEXT)) - static_cast<long>(begin.size()) + 1;
    const long most = std::min(settings.limit.behind(begin.size()), room);
    TokenSampler sampler(settings.sampling.all(), ends);
    std::vector<std::vector<int32_t>> read;
    for (const Ids &source : sources)
      read.emplace_back(source.begin(), source.end());
    for (size_t i = 0; i < batch; ++i) {
      sampler.setText(i, begin.data(), begin.size(), most);
      sampler.setEncoded(i, read[i]);
    }
    std::vector<Ids> texts(batch);
    Ids next(batch);
    for (long made = 0; made < most; ++made) {
      bool goesOn = false;
      for (size_t i = 0; i < batch; ++i) {
        next[i] = sampler.next(session.logits + i * SIZE(_SESSION_VOCABULARY), i);
        const bool hasEnded = !texts[i].empty() && contains(ends, texts[i].back());
        if (!hasEnded)
          texts[i].push_back(next[i]);
        goesOn |= !contains(ends, texts[i].back());
      }
      if (!goesOn || made + 1 == most)
        break;
      check(NET(_step)(&session, next.data(), nullptr));
      ++steps;
    }
    stepSeconds = secondsBetween(encoded, now());
    return texts;
  }

  long steps = 0;
  double encodeSeconds = 0, stepSeconds = 0;

private:
  static constexpr size_t batch = SIZE(_SESSION_BATCH);
  static bool contains(const Ids &ids, int64_t id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }
  static void check(int status) {
    if (status)
      endWithStatus(status);
  }

  const Settings &settings;
  OwnSession<Net> own;
  NET(_session) &session = own.session;
};
} // namespace

int main(int, char **arguments) {
  const Settings settings = parse(arguments);
  const std::vector<Ids> sources = sequencesOf(settings.ids);
  EncodedBatch batch(settings);
  for (const Ids &text : batch.textsOf(sources)) {
    printIds(text);
    std::printf("\n");
  }
  writeStatsTo(settings.stats, static_cast<long long>(sources[0].size()), batch.encodeSeconds, batch.steps,
               batch.stepSeconds);
  return 0;
}
