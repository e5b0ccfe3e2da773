// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// draft_model.h: a model that is its own draft has all of it taken; another one changes nothing but the number of
// calls. The draft's session follows a text that changes, also where it cannot take rows back or the vocabularies
// differ.
#include "runtime-lite/generation/draft_model.h"
#include "runtime-lite/generation/drafted_steps.h"
#include "runtime-lite/generation/sampler.h"

#include "fake_decoder.h"

#include <doctest/doctest.h>

#include <vector>

using namespace sinter;

namespace {

using Net = FakeDecoder<23, 4, 5>;
using Same = FakeDecoder<23, 1, 5>;
using Other = FakeDecoder<23, 1, 6>;
using Fewer = FakeDecoder<11, 1, 5>;
using More = FakeDecoder<40, 1, 5>;
using Short = FakeDecoder<23, 1, 5, 12>;

struct Run {
  std::vector<int32_t> text;
  int64_t calls = 0;
  FakeSession draft;
};

/// Tokens are drawn where there is a seed, and the likeliest without one.
int32_t choose(const float *logits, int32_t vocabulary, const std::vector<int32_t> &text, int32_t count,
               uint64_t seed) {
  sinter_sampler settings = {};
  settings.do_sample = seed != 0;
  settings.temperature = 0.5f;
  settings.seed = seed;
  sinter_step step = {};
  step.tokens = text.data();
  step.token_count = count;
  float row[Net::vocabulary];
  static uint64_t scratch[sampler_scratch_bytes(Net::vocabulary) / 8 + 1];
  logitsOf(logits, vocabulary, row, Net::vocabulary);
  return sample(settings, step, row, Net::vocabulary, scratch, sizeof scratch);
}

template <class Draft>
Run run(int32_t count, uint64_t seed) {
  Run made;
  FakeSession session;
  const int64_t prompt[] = {1, 2};
  Net::prefill(session, prompt, 2);
  DraftedSteps<Net> steps(session);
  DraftModel<Draft> model(made.draft);
  steps.begin();
  std::vector<int32_t> text(size_t(count) + Net::rows);
  text[0] = 1, text[1] = 2;
  for (int32_t length = 2; length < count;) {
    text[size_t(length)] = choose(steps.logits(), Net::vocabulary, text, length, seed);
    if (++length == count)
      break;
    const int status = steps.take(text.data(), length, count - length, [&](int32_t *, int32_t from, int32_t room) {
      return model.propose(text.data(), from, room, [&](const float *logits, int32_t behind) {
        return choose(logits, Draft::vocabulary, text, behind, seed);
      });
    });
    CHECK(status == 0);
  }
  text.resize(size_t(count));
  made.text = text;
  made.calls = steps.calls;
  return made;
}

} // namespace

TEST_CASE("draft_model: a model that is its own draft has all of it taken") {
  for (const uint64_t seed : {0u, 7u, 8u})
    CHECK(run<Same>(30, seed).calls == 7); // 27 tokens, four in each
}
TEST_CASE("draft_model: another draft changes nothing but the number of calls") {
  for (const uint64_t seed : {0u, 7u, 8u}) {
    const std::vector<int32_t> expected = run<Same>(30, seed).text;
    CHECK(run<Other>(30, seed).text == expected);
    CHECK(run<Fewer>(30, seed).text == expected);
    CHECK(run<More>(30, seed).text == expected);
    CHECK(run<Short>(30, seed).text == expected);
  }
  CHECK(run<Other>(30, 0).calls == 27);
}
TEST_CASE("draft_model: room for fewer tokens drafts as many") {
  const Run made = run<Short>(30, 0);
  CHECK(made.draft.length <= 12);
  CHECK(made.calls > 7);
  CHECK(made.calls < 27);
}
TEST_CASE("draft_model: the session follows a text that changes") {
  FakeSession session;
  DraftModel<Same> model(session);
  const auto greedy = [](const float *logits, int32_t) { return likeliestOf(logits, Same::vocabulary); };
  int32_t text[16] = {1, 2, 3, 4};
  CHECK(model.propose(text, 4, 3, greedy) == 3);
  CHECK(session.length == 6);
  const int32_t drafted[] = {text[4], text[5], text[6]};
  text[4] = (drafted[0] + 1) % Same::vocabulary; // the first one does not stand
  const int64_t before = session.calls;
  CHECK(model.propose(text, 5, 1, greedy) == 1);
  CHECK(session.calls == before + 1);
  CHECK(session.held == std::vector<int64_t>{1, 2, 3, 4, text[4]});
  text[1] = 9; // another text
  CHECK(model.propose(text, 3, 2, greedy) == 2);
  CHECK(session.held == std::vector<int64_t>{1, 9, 3, text[3]});
  CHECK(model.propose(text, 0, 2, greedy) == 0);
  CHECK(model.propose(text, 3, 0, greedy) == 0);
  CHECK(model.propose(text, 3, 2, [](const float *, int32_t) { return -1; }) == 0);
}
TEST_CASE("draft_model: what cannot be taken back is a status") {
  FakeSession session;
  session.isWhole = true;
  DraftModel<Same> model(session);
  const auto greedy = [](const float *logits, int32_t) { return likeliestOf(logits, Same::vocabulary); };
  int32_t text[16] = {1, 2, 3, 4};
  CHECK(model.propose(text, 4, 3, greedy) == 3);
  text[4] = 0;
  CHECK(model.propose(text, 5, 3, greedy) == -8);
}
