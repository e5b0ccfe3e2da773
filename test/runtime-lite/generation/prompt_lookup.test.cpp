// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// prompt_lookup.h: the longest run counts, then the first place; a draft ends before eos.
#include "runtime-lite/generation/prompt_lookup.h"

#include <doctest/doctest.h>

#include <vector>

using namespace sinter;

namespace {

std::vector<int32_t> draftOf(const std::vector<int32_t> &text, int32_t longest, int32_t most, int32_t eos = -1) {
  std::vector<int32_t> draft(size_t(most), 0);
  draft.resize(size_t(draftFromText({text.data(), int32_t(text.size())}, longest, most, {&eos, 1}, draft.data())));
  return draft;
}
using Ids = std::vector<int32_t>;

} // namespace

TEST_CASE("prompt_lookup: drafts") {
  CHECK(draftOf({1, 2, 3, 4, 9, 2, 3, 5, 1, 2, 3}, 3, 2) == Ids{4, 9});
  CHECK(draftOf({7, 3, 8, 1, 2, 3, 4, 2, 3}, 2, 3) == Ids{4, 2, 3}); // two ids before one
  CHECK(draftOf({7, 3, 8, 1, 2, 3, 4, 2, 3}, 1, 1) == Ids{8});
  CHECK(draftOf({5, 5}, 3, 4) == Ids{5});
  CHECK(draftOf({1, 2, 3}, 3, 4) == Ids{});
  CHECK(draftOf({1}, 3, 4) == Ids{});
  CHECK(draftOf({1, 2, 6, 0, 7, 1, 2}, 2, 4, 0) == Ids{6});
}
