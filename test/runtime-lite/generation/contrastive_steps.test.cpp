// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// contrastive_search.h and contrastive_steps.h: the formula by hand, what is no candidate, and that a session holds
// what was chosen and nothing else; test/end_to_end/decoders.py compares with a model of transformers.
#include "runtime-lite/generation/contrastive_steps.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace sinter;

namespace {

constexpr int32_t vocabulary = 4, width = 2;

/// The state of a token is a direction of its own: 0 and 1 that of the first number, 2 between both, 3 the second.
struct Net {
  struct Session {
    int64_t length = 0;
    std::vector<int64_t> held;
    const float *hidden = nullptr;
    std::vector<float> states;
    int64_t calls = 0;
  };
  static constexpr int64_t context = 8, batch = 1, chunk = 2;
  static constexpr int32_t vocabulary = ::vocabulary;

  static int prefill(Session &session, const int64_t *ids, int64_t count) {
    if (count > context - session.length)
      return 4;
    session.held.insert(session.held.end(), ids, ids + count);
    session.length += count;
    ++session.calls;
    session.states.clear();
    for (int64_t i = 0; i < count; ++i) {
      const float x = ids[i] == 3 ? 0.0f : 5.0f, y = ids[i] < 2 ? 0.0f : 5.0f;
      session.states.insert(session.states.end(), {x, y});
    }
    session.hidden = session.states.data();
    return 0;
  }
  static int rewind(Session &session, int64_t length) {
    session.held.resize(size_t(length));
    session.length = length;
    return 0;
  }
};

struct Made {
  std::vector<int64_t> held;
  int64_t calls;
};

/// The prompt is 0, 0, 0; each step has these probabilities.
Made run(double alpha, int32_t count, std::vector<float> probabilities, int32_t steps,
         std::vector<int32_t> banned = {}) {
  std::vector<uint64_t> memory(contrastive_search_bytes(count, width, Net::context) / 8 + 1),
      scratch(sampler_scratch_bytes(vocabulary) / 8 + 1);
  ContrastiveSearch search(count, alpha, width, memory.data());
  Net::Session session;
  ContrastiveSteps<Net> made(session, search);
  const int64_t prompt[] = {0, 0, 0};
  REQUIRE(made.prefill(prompt, 3) == 0);
  CHECK(session.calls == 2); // a call has two tokens
  sinter_sampler settings = {};
  settings.suppress = {banned.data(), int32_t(banned.size())};
  for (int32_t i = 0; i < steps; ++i) {
    std::vector<int32_t> text(session.held.begin(), session.held.end());
    std::vector<float> row;
    for (const float p : probabilities)
      row.push_back(std::log(p));
    sinter_step step = {};
    step.tokens = text.data();
    step.token_count = int32_t(text.size());
    step.prompt_count = 3;
    int32_t id = -1;
    REQUIRE(made.next(settings, step, row.data(), scratch.data(), scratch.size() * 8, id) == 0);
    REQUIRE(id >= 0);
    CHECK(session.held.back() == id);
    CHECK(session.length == int64_t(text.size()) + 1);
  }
  return {{session.held.begin() + 3, session.held.end()}, made.calls};
}

using Ids = std::vector<int64_t>;
} // namespace

TEST_CASE("contrastive_steps: what is unlike the text goes before what is likely") {
  // 0.5 * 0.6 - 0.5 * 1 = -0.2, 0.5 * 0.25 - 0.5 * 0.71 = -0.23, 0.5 * 0.15 - 0.5 * 0 = 0.075
  CHECK(run(0.5, 3, {0.0001f, 0.6f, 0.25f, 0.15f}, 1).held == Ids{3});
  // Then all but 3 are as before, and it is like itself: -0.2, -0.23, -0.425
  CHECK(run(0.5, 3, {0.0001f, 0.6f, 0.25f, 0.15f}, 2).held == Ids{3, 1});
}
TEST_CASE("contrastive_steps: without a penalty the likeliest, which is looked at last") {
  const Made made = run(0, 3, {0.0001f, 0.6f, 0.25f, 0.15f}, 2);
  CHECK(made.held == Ids{1, 1});
  CHECK(made.calls == 6);
}
TEST_CASE("contrastive_steps: another than the likeliest is appended again") {
  CHECK(run(0.5, 3, {0.0001f, 0.6f, 0.25f, 0.15f}, 1).calls == 4);
}
TEST_CASE("contrastive_steps: only so many of the likeliest are looked at, and none that is forbidden") {
  CHECK(run(0.5, 2, {0.0001f, 0.6f, 0.25f, 0.15f}, 1).held == Ids{1});
  CHECK(run(0.5, 3, {0.0001f, 0.6f, 0.25f, 0.15f}, 1, {3}).held == Ids{1});
  CHECK(run(0.9, 4, {0.25f, 0.25f, 0.25f, 0.25f}, 1, {0, 2, 3}).held == Ids{1});
}
TEST_CASE("contrastive_steps: what keeps it from choosing is said") {
  std::vector<uint64_t> memory(contrastive_search_bytes(2, width, Net::context) / 8 + 1),
      scratch(sampler_scratch_bytes(vocabulary) / 8 + 1);
  const int32_t text[] = {0};
  sinter_step step = {};
  step.tokens = text;
  step.token_count = step.prompt_count = 1;
  std::vector<float> row = {1, 2, 3, 4};
  ContrastiveSearch high(2, 1.5, width, memory.data());
  CHECK(high.propose({}, step, row.data(), vocabulary, scratch.data(), scratch.size() * 8) == SINTER_SAMPLE_SETTING);
  ContrastiveSearch search(2, 0.5, width, memory.data());
  CHECK(search.propose({}, step, row.data(), vocabulary, scratch.data(), 8) == SINTER_SAMPLE_SCRATCH);
  row[1] = std::nanf("");
  CHECK(search.propose({}, step, row.data(), vocabulary, scratch.data(), scratch.size() * 8) == SINTER_SAMPLE_NAN);
}
TEST_CASE("contrastive_steps: every number of a state counts, and a state of zeros is like nothing") {
  constexpr int32_t odd = 9; // more than is added at once
  std::vector<uint64_t> memory(contrastive_search_bytes(2, odd, 2) / 8 + 1),
      scratch(sampler_scratch_bytes(vocabulary) / 8 + 1);
  const auto bestOf = [&](const std::vector<float> &likelier, const std::vector<float> &other) {
    ContrastiveSearch search(2, 0.5, odd, memory.data());
    search.keep(0, std::vector<float>(odd, 1.0f).data());
    const int32_t text[] = {0};
    sinter_step step = {};
    step.tokens = text;
    step.token_count = step.prompt_count = 1;
    std::vector<float> row = {2, 1.9f, -9, -9};
    REQUIRE(search.propose({}, step, row.data(), vocabulary, scratch.data(), scratch.size() * 8) == 2);
    search.judge(0, likelier.data(), 1);
    search.judge(1, other.data(), 1);
    return search.id(search.best());
  };
  CHECK(bestOf({3, 3, 3, 3, 3, 3, 3, 3, 3}, {1, 1, 1, 1, 1, 1, 1, 1, -1}) == 1);
  CHECK(bestOf({3, 3, 3, 3, 3, 3, 3, 3, 3}, {1, 1, 1, 1, 1, 1, 1, 1, 1}) == 0);
  CHECK(bestOf({3, 3, 3, 3, 3, 3, 3, 3, 3}, {0, 0, 0, 0, 0, 0, 0, 0, 0}) == 1);
}
