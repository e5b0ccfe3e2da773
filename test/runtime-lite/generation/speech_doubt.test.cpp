// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// speech_doubt.h: ratios that Python's zlib gives for tokens of one, two and three bytes; what is doubted by which
// limit.
#include "runtime-lite/generation/speech_doubt.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

using namespace sinter;

namespace {
struct Room {
  std::vector<uint8_t> bytes = std::vector<uint8_t>(kMostDeflated);
  std::unique_ptr<DeflateScratch> scratch = std::make_unique<DeflateScratch>();
};
std::vector<int32_t> tokens(int32_t count, int32_t period) {
  std::vector<int32_t> ids;
  for (int32_t i = 0; i < count; ++i)
    ids.push_back(i % period * 37);
  return ids;
}
double ratioOf(const std::vector<int32_t> &ids, int32_t vocabulary) {
  Room room;
  return compressionRatio({ids.data(), static_cast<int32_t>(ids.size())}, vocabulary, room.bytes.data(),
                          room.scratch.get());
}
SpeechDoubt doubt(SpeechLimits limits, double meanLog, double silence) {
  Room room;
  const std::vector<int32_t> ids = tokens(200, 5);
  return doubtOf(limits, {ids.data(), 200}, 51865, meanLog, silence, room.bytes.data(), room.scratch.get());
}
} // namespace

TEST_CASE("tokens are as wide as the vocabulary asks for") {
  CHECK(ratioOf(tokens(47, 7), 200) == 47.0 / 18);
  CHECK(ratioOf(tokens(200, 31), 51865) == 400.0 / 77);
  CHECK(ratioOf(tokens(444, 444), 70000) == 1332.0 / 1065);
}

TEST_CASE("a text longer than what is compressed at once counts by its end") {
  CHECK(ratioOf(tokens(40000, 9), 200) > 100);
}

TEST_CASE("limits that are no numbers doubt nothing") {
  CHECK(doubt({NAN, NAN, NAN}, -9, 1) == SpeechDoubt::None);
  CHECK(doubt({NAN, NAN, 0.5f}, -9, 1) == SpeechDoubt::None);
}

TEST_CASE("repeats and guesses are heard again, guessed silence is left out") {
  CHECK(doubt({1.35f, NAN, NAN}, -9, 1) == SpeechDoubt::Again);
  CHECK(doubt({99, -1, 0.6f}, -0.9, 1) == SpeechDoubt::None);
  CHECK(doubt({99, -1, 0.6f}, -1.1, 0.5) == SpeechDoubt::Again);
  CHECK(doubt({1.35f, -1, 0.6f}, -1.1, 0.7) == SpeechDoubt::Silence);
}
