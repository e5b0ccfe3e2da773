// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// speech_times.h: which tokens may follow, and which parts a text has. Tokens are 0..3, the end 4, no times 5, times
// 6..11; the results are what transformers' WhisperTimeStampLogitsProcessor and _retrieve_segment make of the same.
#include "runtime-lite/generation/speech_times.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sinter;

namespace {
constexpr int32_t vocabulary = 12;
constexpr SpeechTimes known = {6, 4, 2};

/// 'x' where a token is forbidden.
std::string allowedBehind(std::vector<int32_t> made, std::vector<float> logits = std::vector<float>(vocabulary, 0)) {
  keepTimesInOrder(known, {made.data(), static_cast<int32_t>(made.size())}, logits.data(), vocabulary);
  std::string allowed;
  for (float logit : logits)
    allowed += logit == kForbidden ? 'x' : '.';
  return allowed;
}

std::string partsOf(std::vector<int32_t> made, int64_t frames) {
  std::vector<SpeechPart> parts(made.size() + 1);
  int64_t heard = -1;
  const int32_t count =
      speechParts(known, {made.data(), static_cast<int32_t>(made.size())}, frames, parts.data(), &heard);
  std::string text;
  for (int32_t i = 0; i < count; ++i) {
    const SpeechPart &part = parts[static_cast<size_t>(i)];
    text += std::to_string(part.from) + "-" + std::to_string(part.to) + "@" + std::to_string(part.begin) + "-" +
            std::to_string(part.end) + " ";
  }
  return text + std::to_string(heard);
}
} // namespace

TEST_CASE("speech_times: a text begins with a time, not later than the latest") {
  CHECK(allowedBehind({}) == "xxxxxx...xxx");
}

TEST_CASE("speech_times: behind the first time is text or the end, behind a part's time another or the end") {
  std::vector<float> loud(vocabulary, 0);
  loud[4] = 9;
  CHECK(allowedBehind({7}, loud) == ".....xxxxxxx");
  CHECK(allowedBehind({7, 1, 9}, loud) == "xxxx.xxxx...");
  CHECK(allowedBehind({7, 1, 9, 9}, loud) == ".....xxxxxxx");
}

TEST_CASE("speech_times: in a part times rise, and are taken where they are likelier together than each token") {
  std::vector<float> loud(vocabulary, 0);
  loud[2] = 9;
  CHECK(allowedBehind({7, 1}, loud) == ".....xxx....");
  CHECK(allowedBehind({7, 1}) == "xxxxxxxx....");
  CHECK(allowedBehind({7, 1, 9, 11, 2}, loud) == ".....xxxxxxx"); // no time is later
}

TEST_CASE("speech_times: whole parts, and where it goes on") {
  CHECK(partsOf({7, 1, 9, 9, 2, 11}, 100) == "0-3@1-3 3-6@3-5 100"); // all is said
  CHECK(partsOf({7, 1, 9, 10}, 100) == "0-4@1-3 6");                 // the second part is heard again
  CHECK(partsOf({7, 1, 9}, 100) == "0-3@0-3 100");
  CHECK(partsOf({1, 2}, 100) == "0-2@0-50 100");
  CHECK(partsOf({}, 100) == "0-0@0-50 100");
}
