// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// beam_search.h: a search by hand, and what is refused; test/generation/beams.py compares with transformers.
#include "runtime-lite/generation/beam_search.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

using namespace sinter;

namespace {

struct Searched {
  std::vector<std::vector<int32_t>> texts;
  std::vector<float> scores;
};
/// Whatever was said before, 0.5 is for 1, 0.3 for 2, 0.2 for 0, which ends.
Searched searchOf(sinter_beams beams) {
  sinter_sampler sampler = {};
  const int32_t eos[] = {0}, prompt[] = {3};
  sampler.eos = {eos, 1};
  std::vector<uint64_t> memory(beam_search_bytes(beams, 1) / 8 + 1), scratch(sampler_scratch_bytes(5) / 8);
  BeamSearch search(beams, sampler, 5, memory.data());
  REQUIRE(search.begin(prompt, 1) == 0);
  while (!search.isDone()) {
    std::vector<float> rows;
    for (int32_t i = 0; i < beams.num_beams; ++i)
      for (const float p : {0.2f, 0.5f, 0.3f, 0.0f, 0.0f})
        rows.push_back(std::log(p));
    REQUIRE(search.step(rows.data(), scratch.data(), scratch.size() * 8) == 0);
  }
  Searched found;
  for (int32_t i = 0; i < search.finishedCount(); ++i) {
    found.texts.emplace_back(search.finished(i), search.finished(i) + search.finishedLength(i));
    found.scores.push_back(search.finishedScore(i));
  }
  return found;
}

} // namespace

TEST_CASE("beam_search: the likeliest text") {
  const Searched found = searchOf({2, 3, 0, SINTER_STOP_NEVER_EARLY, SINTER_LENGTH_GENERATED});
  REQUIRE(found.texts.size() == 2);
  CHECK(found.texts[0] == std::vector<int32_t>{3, 1, 1});
  CHECK(found.scores[0] == doctest::Approx(std::log(0.25)));
}
TEST_CASE("beam_search: which length counts") {
  const double sum = std::log(0.125);
  CHECK(searchOf({2, 4, 1, SINTER_STOP_WHEN_FULL, SINTER_LENGTH_GENERATED}).scores[0] == doctest::Approx(sum / 3));
  CHECK(searchOf({2, 4, 1, SINTER_STOP_WHEN_FULL, SINTER_LENGTH_WHOLE}).scores[0] == doctest::Approx(sum / 4));
}
TEST_CASE("beam_search: a group avoids what those before it have chosen") {
  sinter_sampler sampler = {};
  sampler.diversity_penalty = 0.3f; // of 1, which is e^0.51 times as likely as 2
  const int32_t prompt[] = {3};
  const auto firstOf = [&](std::vector<int32_t> beside) {
    const sinter_beams beams = {1, 4, 0, SINTER_STOP_NEVER_EARLY, SINTER_LENGTH_GENERATED};
    std::vector<uint64_t> memory(beam_search_bytes(beams, 0) / 8 + 1), scratch(sampler_scratch_bytes(3) / 8 + 1);
    BeamSearch search(beams, sampler, 3, memory.data());
    REQUIRE(search.begin(prompt, 0) != 0);
    REQUIRE(search.begin(prompt, 1) == 0);
    float row[] = {std::log(0.2f), std::log(0.5f), std::log(0.3f)};
    REQUIRE(search.step(row, scratch.data(), scratch.size() * 8,
                        {beside.data(), static_cast<int32_t>(beside.size())}) == 0);
    return search.tokens(0)[1];
  };
  CHECK(firstOf({}) == 1);
  CHECK(firstOf({1}) == 1);
  CHECK(firstOf({1, 1}) == 2);
  CHECK(firstOf({1, 1, 2, 1}) == 2);
  CHECK(firstOf({1, 2, 1, 2}) == 1);
}
TEST_CASE("beam_search: what the encoder read does not come again") {
  sinter_sampler sampler = {};
  sampler.encoder_no_repeat_ngram_size = 1;
  const int32_t prompt[] = {3}, read[] = {1};
  const sinter_beams beams = {1, 4, 0, SINTER_STOP_NEVER_EARLY, SINTER_LENGTH_GENERATED};
  std::vector<uint64_t> memory(beam_search_bytes(beams, 0) / 8 + 1), scratch(sampler_scratch_bytes(3) / 8 + 1);
  for (const int32_t count : {0, 1}) {
    BeamSearch search(beams, sampler, 3, memory.data());
    REQUIRE(search.begin(prompt, 1, {read, count}) == 0);
    float row[] = {std::log(0.2f), std::log(0.5f), std::log(0.3f)};
    REQUIRE(search.step(row, scratch.data(), scratch.size() * 8) == 0);
    CHECK(search.tokens(0)[1] == 1 + count);
  }
}
TEST_CASE("beam_search: what is no search") {
  const int32_t prompt[] = {3, 3, 3};
  std::vector<uint64_t> memory(100);
  const auto begin = [&](sinter_beams beams, sinter_sampler sampler, int32_t count) {
    return BeamSearch(beams, sampler, 5, memory.data()).begin(prompt, count);
  };
  const sinter_beams beams = {2, 3, 1, SINTER_STOP_HEURISTIC, SINTER_LENGTH_GENERATED};
  CHECK(begin(beams, {}, 2) == 0);
  CHECK(begin(beams, {}, 3) == SINTER_SAMPLE_SETTING);                                                     // no room
  CHECK(begin({3, 3, 1, SINTER_STOP_HEURISTIC, SINTER_LENGTH_GENERATED}, {}, 1) == SINTER_SAMPLE_SETTING); // 5 ids only
}
TEST_CASE(
    "beam_draws: continuations come by their probabilities, none twice, and the best where no more are possible") {
  const float none = kForbidden, scores[] = {std::log(0.5f), std::log(0.25f)};
  const float rows[] = {std::log(0.75f), std::log(0.25f), none, none, std::log(0.5f), std::log(0.5f)};
  int32_t firsts[6] = {}, pairs = 0;
  constexpr int32_t times = 4000;
  for (int32_t seed = 0; seed < times; ++seed) {
    std::vector<float> changed(rows, rows + 6);
    uint64_t sums[2];
    BeamCandidate drawn[5];
    BeamDraws{changed.data(), scores, 2, 3, sums}.draw(drawn, 5, static_cast<uint64_t>(seed), 7);
    ++firsts[3 * drawn[0].beam + drawn[0].id];
    pairs += drawn[0].beam == 0 && drawn[0].id == 0 && drawn[1].beam == 0 && drawn[1].id == 1;
    for (int32_t i = 0; i < 4; ++i) {
      CHECK(drawn[i].score == rows[3 * drawn[i].beam + drawn[i].id] + scores[drawn[i].beam]);
      for (int32_t j = 0; j < i; ++j)
        CHECK((drawn[i].beam != drawn[j].beam || drawn[i].id != drawn[j].id));
    }
    CHECK(drawn[4].score == none);
  }
  const double expected[] = {0.5, 1 / 6.0, 0, 0, 1 / 6.0, 1 / 6.0};
  for (int32_t i = 0; i < 6; ++i)
    CHECK(firsts[i] == doctest::Approx(expected[i] * times).epsilon(0.1));
  CHECK(pairs == doctest::Approx(times / 6.0).epsilon(0.1)); // a half, and then a third of what is left
}
TEST_CASE("beam_search: drawn texts are by one seed alike, of what is kept") {
  const auto textOf = [](uint64_t seed) {
    sinter_sampler sampler = {};
    sampler.do_sample = 1, sampler.seed = seed, sampler.top_k = 3;
    const int32_t prompt[] = {3};
    const sinter_beams beams = {2, 9, 0, SINTER_STOP_NEVER_EARLY, SINTER_LENGTH_GENERATED};
    std::vector<uint64_t> memory(beam_search_bytes(beams, 0) / 8 + 1), scratch(sampler_scratch_bytes(5) / 8 + 1);
    BeamSearch search(beams, sampler, 5, memory.data());
    REQUIRE(search.begin(prompt, 1) == 0);
    while (!search.isDone()) {
      float row[] = {0.2f, 0.5f, 0.3f, 0.1f, 0.1f, 0.2f, 0.5f, 0.3f, 0.1f, 0.1f};
      REQUIRE(search.step(row, scratch.data(), scratch.size() * 8) == 0);
    }
    REQUIRE(search.finishedCount() > 0);
    std::vector<int32_t> text(search.finished(0) + 1, search.finished(0) + search.finishedLength(0));
    for (const int32_t id : text)
      CHECK(id < 3);
    return text;
  };
  CHECK(textOf(1) == textOf(1));
  CHECK(textOf(1) != textOf(2));
}
