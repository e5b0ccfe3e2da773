// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times of single words, as transformers finds them in a Whisper's cross-attentions: of the heads that follow the sound
// (alignment_heads of generation_config.json) what each token looks at is normalized and smoothed, and the cheapest way
// through all tokens and frames says at which step of 0.02 s each token ends. Pieces of text become words, to which
// punctuation belongs. Behind the tokens that a text begins with, each that was given to the decoder has a row:
//   alignTokens({heads, tokens, steps, pitch, 7}, rows, ends, scratch);         // rows[heads][tokens][pitch]
//   count = joinWords(text, pieces, count, /*hasBlanks=*/true);                 // where a piece is whole code points
// A word begins where the token before its first one ends, and ends where its last one does. No heap: scratch is of
// alignmentBytes(...), aligned to 4.
#pragma once

#include "runtime-lite/compiler.h"
#include "runtime-lite/types.h"

#include <math.h>

namespace sinter {
namespace {

struct Alignment {
  int32_t heads, tokens;
  int32_t steps;  // of 0.02 s that are sound
  int32_t pitch;  // floats from one token's row to the next, at least as many
  int32_t filter; // how many steps a median is of: odd, kWidestFilter at most
};
constexpr int32_t kWidestFilter = 63;

SINTER_FUNCTION size_t alignmentBytes(const Alignment &a) {
  const size_t tokens = size_t(a.tokens) + 1, steps = size_t(a.steps) + 1;
  return (2 * tokens + steps + kWidestFilter) * sizeof(float) + tokens * steps;
}

/// Scores before their softmax become shares; shares stay.
SINTER_FUNCTION void makeShares(float *row, int32_t count) {
  float greatest = row[0];
  double sum = 0;
  bool areShares = true;
  for (int32_t i = 0; i < count; ++i) {
    greatest = row[i] > greatest ? row[i] : greatest;
    areShares = areShares && row[i] >= 0;
    sum += double(row[i]);
  }
  if (areShares && sum > 0.99 && sum < 1.01)
    return;
  sum = 0;
  for (int32_t i = 0; i < count; ++i)
    sum += exp(double(row[i]) - double(greatest));
  for (int32_t i = 0; i < count; ++i)
    row[i] = float(exp(double(row[i]) - double(greatest)) / sum);
}

/// Of each step over all tokens: the mean becomes 0, the deviation 1.
SINTER_FUNCTION void normalizeSteps(const Alignment &a, float *rows) {
  for (int32_t step = 0; step < a.steps; ++step) {
    double sum = 0, squares = 0;
    for (int32_t token = 0; token < a.tokens; ++token)
      sum += double(rows[int64_t(token) * a.pitch + step]);
    const double mean = sum / a.tokens;
    for (int32_t token = 0; token < a.tokens; ++token) {
      const double off = double(rows[int64_t(token) * a.pitch + step]) - mean;
      squares += off * off;
    }
    const double deviation = sqrt(squares / a.tokens);
    for (int32_t token = 0; token < a.tokens; ++token) {
      float &x = rows[int64_t(token) * a.pitch + step];
      x = float((double(x) - mean) / deviation); // no number where all are alike, as of one token
    }
  }
}

/// Each becomes the median of those around it; the ends are mirrored. `line` has room for a row and the filter.
SINTER_FUNCTION void smooth(float *row, int32_t count, int32_t filter, float *line) {
  const int32_t half = filter / 2;
  if (count <= half)
    return;
  for (int32_t i = -half; i < count + half; ++i)
    line[i + half] = row[i < 0 ? -i : i < count ? i : 2 * (count - 1) - i];
  float sorted[kWidestFilter];
  for (int32_t i = 0; i < count; ++i) {
    for (int32_t k = 0; k < filter; ++k) { // what is no number comes last
      int32_t at = k;
      for (;
           at > 0 && (sorted[at - 1] > line[i + k] || (sorted[at - 1] != sorted[at - 1] && line[i + k] == line[i + k]));
           --at)
        sorted[at] = sorted[at - 1];
      sorted[at] = line[i + k];
    }
    row[i] = sorted[half];
  }
}

enum AlignmentMove : unsigned char { BothMove, TokenMoves, StepMoves };

/// The first step of each token on the cheapest way from the first of both to the last, where what tokens look at is
/// worth most.
SINTER_FUNCTION void warpTokens(const Alignment &a, const float *worth, int32_t *ends, float *costs,
                                unsigned char *moves) {
  const int32_t n = a.tokens, m = a.steps;
  float *before = costs, *now = costs + n + 1;
  for (int32_t i = 0; i <= n; ++i)
    before[i] = i ? float(SINTER_INFINITY) : 0;
  for (int32_t j = 1; j <= m; ++j) {
    now[0] = float(SINTER_INFINITY);
    for (int32_t i = 1; i <= n; ++i) {
      const float both = before[i - 1], token = now[i - 1], step = before[i];
      const bool isBoth = both < token && both < step, isToken = token < both && token < step;
      const float least = isBoth ? both : isToken ? token : step;
      now[i] = float(double(least) - double(worth[int64_t(i - 1) * a.pitch + j - 1]));
      moves[int64_t(i) * (m + 1) + j] = isBoth ? BothMove : isToken ? TokenMoves : StepMoves;
    }
    float *swapped = before;
    before = now;
    now = swapped;
  }
  for (int32_t i = n, j = m; i > 0 || j > 0;) {
    if (i > 0)
      ends[i - 1] = j - 1 > 0 ? j - 1 : 0; // the last that is written is the first on the way
    const AlignmentMove move = i == 0   ? StepMoves
                               : j == 0 ? TokenMoves
                                        : AlignmentMove(moves[int64_t(i) * (m + 1) + j]);
    i -= move != StepMoves;
    j -= move != TokenMoves;
  }
}

/// The step at which each token ends. `rows` are changed.
SINTER_FUNCTION void alignTokens(const Alignment &a, float *rows, int32_t *ends, void *scratch) {
  float *const costs = static_cast<float *>(scratch), *const line = costs + 2 * (size_t(a.tokens) + 1);
  void *const behind = line + a.steps + 1 + kWidestFilter;
  if (a.tokens <= 0 || a.steps <= 0) {
    for (int32_t token = 0; token < a.tokens; ++token)
      ends[token] = 0;
    return;
  }
  const int64_t ofHead = int64_t(a.tokens) * a.pitch;
  for (int32_t head = 0; head < a.heads; ++head) {
    normalizeSteps(a, rows + head * ofHead);
    for (int32_t token = 0; token < a.tokens; ++token)
      smooth(rows + head * ofHead + int64_t(token) * a.pitch, a.steps, a.filter, line);
  }
  for (int32_t token = 0; token < a.tokens; ++token)
    for (int32_t step = 0; step < a.steps; ++step) {
      float *const at = rows + int64_t(token) * a.pitch + step;
      double sum = 0;
      for (int32_t head = 0; head < a.heads; ++head)
        sum += double(at[head * ofHead]);
      *at = float(sum / a.heads);
    }
  warpTokens(a, rows, ends, costs, static_cast<unsigned char *>(behind));
}

/// Tokens of a text, and its bytes: a piece of whole code points first, then a word.
struct SpokenWord {
  int32_t from, to;
  int32_t textFrom, textTo;
};

/// A text without the white space of ASCII around it.
SINTER_FUNCTION sinter_string bareText(const char *text, const SpokenWord &word) {
  int32_t from = word.textFrom, to = word.textTo;
  const auto isBlank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f'); };
  while (from < to && isBlank(text[from]))
    ++from;
  while (from < to && isBlank(text[to - 1]))
    --to;
  return {text + from, size_t(to - from)};
}

SINTER_FUNCTION bool isWithin(sinter_string text, const char *all) {
  for (; *all; ++all) {
    size_t i = 0;
    while (i < text.size && all[i] == text.data[i])
      ++i;
    if (i == text.size)
      return true;
  }
  return text.size == 0;
}

/// Pieces that follow one another become words in their place; how many there are. In languages that write no blanks
/// each piece is a word. Punctuation goes with the word that it opens or closes.
SINTER_FUNCTION int32_t joinWords(const char *text, SpokenWord *words, int32_t count, bool hasBlanks) {
  constexpr const char
      *punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
      *opening = "\"'\xe2\x80\x9c\xc2\xa1\xc2\xbf([{-",
      *closing = "\"'.\xe3\x80\x82,\xef\xbc\x8c!\xef\xbc\x81?\xef\xbc\x9f:\xef\xbc\x9a\xe2\x80\x9d)]}\xe3\x80\x81";
  const auto begins = [&](const SpokenWord &word) { return word.textFrom < word.textTo && text[word.textFrom] == ' '; };
  const auto whole = [&](const SpokenWord &word) {
    return sinter_string{text + word.textFrom, size_t(word.textTo - word.textFrom)};
  };
  const auto join = [](SpokenWord &word, const SpokenWord &next) {
    word.to = next.to;
    word.textTo = next.textTo;
  };
  int32_t kept = 0;
  for (int32_t i = 0; hasBlanks && i < count; ++i)
    if (kept == 0 || begins(words[i]) || isWithin(bareText(text, words[i]), punctuation))
      words[kept++] = words[i];
    else
      join(words[kept - 1], words[i]);
  count = hasBlanks ? kept : count;
  kept = count; // from the end: what opens goes into the word behind it
  for (int32_t i = count; i-- > 0;) {
    if (kept < count && begins(words[i]) && isWithin(bareText(text, words[i]), opening)) {
      words[kept].from = words[i].from;
      words[kept].textFrom = words[i].textFrom;
    } else {
      words[--kept] = words[i];
    }
  }
  int32_t made = 0;
  for (int32_t i = kept; i < count; ++i) {
    const bool isOpen = made > 0 && text[words[made - 1].textTo - 1] != ' ';
    if (isOpen && isWithin(whole(words[i]), closing))
      join(words[made - 1], words[i]);
    else
      words[made++] = words[i];
  }
  return made;
}

} // namespace
} // namespace sinter
