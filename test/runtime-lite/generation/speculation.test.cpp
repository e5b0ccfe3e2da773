// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// speculation.h: ids come as often as without a draft, with a model's draft and with one that is certain; a draft of
// another vocabulary is refused.
#include "runtime-lite/generation/speculation.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <vector>

using namespace sinter;

namespace {

/// How often of 20000 each of three ids comes first.
std::vector<int> timesOf(const std::vector<float> &p, const std::vector<float> &q, bool hasModel) {
  std::vector<float> target, draft;
  for (int row = 0; row < 2; ++row)
    for (const float x : p)
      target.push_back(std::log(x));
  for (const float x : q)
    draft.push_back(std::log(x));
  std::vector<int> times(p.size());
  const Distribution given(draft.data(), int32_t(q.size()));
  for (uint64_t i = 0; i < 20000; ++i) {
    const int32_t id = drawResidual(given, nullptr, randomAt(9, 0, i, DrawFor::token));
    const Speculated s = speculate(target.data(), int32_t(p.size()), &id, 1, hasModel ? draft.data() : nullptr,
                                   int32_t(q.size()), 4, 0, i);
    ++times[size_t(s.accepted ? id : s.next)];
  }
  return times;
}

} // namespace

TEST_CASE("speculation: ids are as likely as without a draft") {
  for (const bool hasModel : {true, false}) {
    const std::vector<int> times = timesOf({0.5f, 0.3f, 0.2f}, {0.1f, 0.6f, 0.3f}, hasModel);
    CHECK(std::abs(times[0] - 10000) < 300);
    CHECK(std::abs(times[1] - 6000) < 300);
    CHECK(std::abs(times[2] - 4000) < 300);
  }
  const std::vector<int> apart = timesOf({0.0f, 0.7f, 0.3f}, {1.0f, 0.0f, 0.0f}, true);
  CHECK(apart[0] == 0);
  CHECK(std::abs(apart[1] - 14000) < 300);
}
TEST_CASE("speculation: an equal draft is taken whole") {
  std::vector<float> rows;
  for (int i = 0; i < 4; ++i)
    for (const float x : {1.0f, 2.0f, 0.5f})
      rows.push_back(x + float(i));
  const int32_t ids[] = {0, 1, 2};
  for (uint64_t i = 0; i < 200; ++i)
    CHECK(speculate(rows.data(), 3, ids, 3, rows.data(), 3, 1, 0, i * 4).accepted == 3);
}
TEST_CASE("speculation: greedy") {
  const int32_t chosen[] = {4, 5, 6, 7}, draft[] = {4, 5, 9};
  const Speculated some = speculateGreedy(chosen, draft, 3), all = speculateGreedy(chosen, chosen, 3);
  CHECK(some.accepted == 2);
  CHECK(some.next == 6);
  CHECK(all.accepted == 3);
  CHECK(all.next == 7);
}
TEST_CASE("speculation: what is refused") {
  const float rows[] = {1, 2, 1, 2};
  const int32_t id = 0, outside = 2;
  CHECK(speculate(rows, 2, &id, 1, rows, 3, 1, 0, 0).next == SINTER_SAMPLE_DRAFT);
  CHECK(speculate(rows, 2, &outside, 1, nullptr, 0, 1, 0, 0).next == SINTER_SAMPLE_TOKEN);
}
