// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// word_times.h: the steps at which tokens end are those of transformers' _extract_token_timestamps (its median filter
// and dynamic time warping) of the same attentions, words those of its _combine_tokens_into_words.
#include "runtime-lite/generation/word_times.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace sinter;

namespace {
using Steps = std::vector<int32_t>;

/// Noise that repeats, and a peak that goes along.
std::vector<float> attentions(const Alignment &a, bool hasPeak) {
  std::vector<float> rows(static_cast<size_t>(a.heads * a.tokens * a.pitch), 77.0f); // what is beyond the sound
  for (int32_t head = 0; head < a.heads; ++head)
    for (int32_t token = 0; token < a.tokens; ++token)
      for (int32_t step = 0; step < a.steps; ++step)
        rows[static_cast<size_t>((head * a.tokens + token) * a.pitch + step)] =
            static_cast<float>((head * 7 + token * 13 + step * 29) % 17 + 1) / 64 +
            (hasPeak && step == token * a.steps / a.tokens + head ? 1.0f : 0.0f);
  return rows;
}

Steps endsOf(const Alignment &a, std::vector<float> rows) {
  std::vector<uint32_t> scratch(alignmentBytes(a) / sizeof(uint32_t) + 1);
  Steps ends(static_cast<size_t>(a.tokens), -7);
  alignTokens(a, rows.data(), ends.data(), scratch.data());
  return ends;
}
Steps endsOf(const Alignment &a, bool hasPeak) { return endsOf(a, attentions(a, hasPeak)); }

std::string wordsOf(const std::vector<std::string> &pieces, bool hasBlanks = true) {
  std::string text;
  std::vector<SpokenWord> words;
  for (const std::string &piece : pieces) {
    const auto at = static_cast<int32_t>(words.size()), from = static_cast<int32_t>(text.size());
    text += piece;
    words.push_back({at, at + 1, from, static_cast<int32_t>(text.size())});
  }
  const int32_t count = joinWords(text.data(), words.data(), static_cast<int32_t>(words.size()), hasBlanks);
  std::string all;
  int32_t next = 0;
  for (int32_t i = 0; i < count; ++i) {
    const SpokenWord &word = words[static_cast<size_t>(i)];
    CHECK(word.from == next);
    next = word.to;
    all += (i ? "|" : "") +
           text.substr(static_cast<size_t>(word.textFrom), static_cast<size_t>(word.textTo - word.textFrom));
  }
  CHECK(next == static_cast<int32_t>(pieces.size()));
  return all;
}
} // namespace

TEST_CASE("word_times: tokens end at the steps at which transformers' do") {
  CHECK(endsOf({2, 4, 12, 15, 3}, true) == Steps{0, 8, 11, 11});
  CHECK(endsOf({3, 5, 20, 20, 7}, true) == Steps{0, 4, 5, 12, 15});
  CHECK(endsOf({2, 6, 9, 9, 1}, false) == Steps{0, 0, 0, 3, 8, 8});
  CHECK(endsOf({2, 3, 2, 4, 7}, true) == Steps{0, 1, 1}); // too short for the filter
}

TEST_CASE("word_times: what says nothing still ends: one token, no sound, attentions that are no numbers") {
  CHECK(endsOf({1, 1, 5, 5, 3}, true) == Steps{0});
  CHECK(endsOf({1, 2, 0, 3, 3}, true) == Steps{0, 0});
  CHECK(endsOf({1, 0, 3, 3, 3}, true) == Steps{});
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 0.0f})
    for (const int32_t end : endsOf({2, 3, 6, 6, 3}, std::vector<float>(36, bad)))
      CHECK((end >= 0 && end < 6));
}

TEST_CASE("word_times: scores become shares, shares stay") {
  float scores[] = {1, 2, 3}, shares[] = {0.25f, 0.25f, 0.5f};
  makeShares(scores, 3);
  CHECK(scores[0] + scores[1] + scores[2] == doctest::Approx(1));
  CHECK(scores[2] / scores[1] == doctest::Approx(std::exp(1)));
  makeShares(shares, 3);
  CHECK(shares[2] == 0.5f);
}

TEST_CASE("word_times: pieces become words as in transformers") {
  CHECK(wordsOf({" He", "llo", ",", " “", "you", "”", " (", " and", " ", ")", " me", ".", "..", "!"}) ==
        " Hello,| “you”| ( and| )| me|...!");
  CHECK(wordsOf({"He", " -", " a", "n", "d", " \"", "q", "\"", ".", " "}) == "He| - and| \"q\".| ");
  CHECK(wordsOf({"今", "日", "。"}, false) == "今|日。");
  CHECK(wordsOf({}) == "");
}
