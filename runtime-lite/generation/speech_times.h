// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times in texts of speech, as Whisper writes them: tokens of steps of 0.02 s before and behind each part of a text. As
// transformers keeps them in order, and as it goes on through sound that is longer than the encoder hears at once: from
// where the last whole part ends. How it is called, with tokens behind those that texts begin with:
//   sinter::keepTimesInOrder(times, made, logits, vocabulary);          // before each token is chosen
//   count = sinter::speechParts(times, made, frames, parts, &heard);    // of a text without its end
#pragma once

#include "runtime-lite/generation/bans.h"

#include <math.h>

namespace sinter {
namespace {

constexpr int32_t kTimeFrames = 2; // frames of features in a step
constexpr double kSecondsOfTimeStep = 0.02;

struct SpeechTimes {
  int32_t first;  // the token of 0.00 s; the one before it says that a text has no times
  int32_t end;    // the token that ends a text
  int32_t latest; // step at which the first part may begin; negative: any
};

/// Forbids ids from `from` on, before `to`.
SINTER_FUNCTION void forbidRange(float *logits, int32_t from, int32_t to) {
  for (int32_t id = from; id < to; ++id)
    logits[id] = kForbidden;
}

/// A text begins with a time; times stand in pairs between parts, alone before the end, and never fall. Where a time is
/// likelier than each other token, as all times together, it is one.
SINTER_FUNCTION void keepTimesInOrder(const SpeechTimes &times, sinter_ids made, float *logits, int32_t vocabulary) {
  const auto isTime = [&](int32_t i) { return made.ids[i] >= times.first; };
  const int32_t n = made.count, first = times.first;
  logits[first - 1] = kForbidden;
  const bool isBehindTime = n >= 1 && isTime(n - 1), isPair = n < 2 || isTime(n - 2);
  if (isBehindTime && isPair)
    forbidRange(logits, first, vocabulary);
  else if (isBehindTime)
    forbidRange(logits, 0, times.end);
  for (int32_t i = n; i-- > 0;)
    if (isTime(i)) { // a part has some length, what follows it may begin at once
      const int32_t least = made.ids[i] + (isBehindTime && !isPair ? 0 : 1);
      forbidRange(logits, first, least < vocabulary ? least : vocabulary);
      break;
    }
  if (n == 0) {
    forbidRange(logits, 0, first);
    if (times.latest >= 0 && times.latest < vocabulary - first)
      forbidRange(logits, first + times.latest + 1, vocabulary);
  }
  float text = kForbidden, most = kForbidden;
  for (int32_t id = 0; id < vocabulary; ++id) {
    float &greatest = id < first ? text : most;
    greatest = logits[id] > greatest ? logits[id] : greatest;
  }
  if (most == kForbidden)
    return;
  double sum = 0;
  for (int32_t id = first; id < vocabulary; ++id)
    sum += exp(double(logits[id]) - double(most));
  if (double(most) + log(sum) > double(text))
    forbidRange(logits, 0, first);
}

struct SpeechPart {
  int32_t from, to;   // tokens of the text, times among them
  int32_t begin, end; // steps
};

/// The parts of a text that was heard in so many frames; `parts` has room for as many as there are tokens, and one.
/// `heard`: the frames behind which it goes on, as a part that the sound's end cut off is heard again.
SINTER_FUNCTION int32_t speechParts(const SpeechTimes &times, sinter_ids made, int64_t frames, SpeechPart *parts,
                                    int64_t *heard) {
  const int32_t n = made.count;
  const auto isTime = [&](int32_t i) { return i >= 0 && made.ids[i] >= times.first; };
  const auto step = [&](int32_t i) { return made.ids[i] - times.first; };
  int32_t count = 0, from = 0;
  for (int32_t i = 1; i < n; ++i)
    if (isTime(i - 1) && isTime(i)) {
      parts[count++] = {from, i, step(from), step(i - 1)};
      from = i;
    }
  *heard = frames;
  if (count == 0) {
    int32_t last = n - 1;
    while (last >= 0 && !isTime(last))
      --last;
    const bool isSaid = last >= 0 && step(last) != 0;
    parts[count++] = {0, n, 0, isSaid ? step(last) : int32_t(frames / kTimeFrames)};
  } else if (isTime(n - 1) && !isTime(n - 2)) { // nothing is said behind it
    parts[count++] = {from, n, step(from), step(n - 1)};
  } else if (parts[count - 1].end > 0) {
    parts[count - 1].to += 1; // with the time at which it goes on
    *heard = int64_t(parts[count - 1].end) * kTimeFrames;
  }
  return count;
}

} // namespace
} // namespace sinter
