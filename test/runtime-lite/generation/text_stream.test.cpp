// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// text_stream.h: every way to cut a text into tokens gives the same text, shown as early as may be.
#include "runtime-lite/generation/text_stream.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace sinter;

namespace {

sinter_string view(const std::string &text) { return {text.data(), text.size()}; }
std::string text(sinter_string shown) { return {shown.data, shown.size}; }

/// What is shown after each token, separated by |.
std::string shownOf(const std::vector<std::string> &tokens, const std::vector<std::string> &stops, bool keepsStop) {
  std::vector<sinter_string> views;
  size_t longest = 0, longestStop = 0;
  for (const std::string &stop : stops) {
    views.push_back(view(stop));
    longestStop = std::max(longestStop, stop.size());
  }
  for (const std::string &token : tokens)
    longest = std::max(longest, token.size());
  std::vector<char> buffer(text_stream_bytes(longest, longestStop));
  TextStream stream(views.data(), int32_t(views.size()), keepsStop, buffer.data(), buffer.size());
  std::string shown;
  for (const std::string &token : tokens) {
    shown += text(stream.add(view(token))) + "|";
    REQUIRE(!stream.isFull());
  }
  return shown + text(stream.finish());
}

} // namespace

TEST_CASE("text_stream: code points are shown whole") {
  CHECK(shownOf({"a\xc3", "\xa9", "b"}, {}, false) == "a|\xc3\xa9|b|");
  CHECK(shownOf({"\xf0\x9f", "\x98", "\x80"}, {}, false) == "||\xf0\x9f\x98\x80|");
  CHECK(shownOf({"a\xe2\x82"}, {}, false) == "a|\xe2\x82"); // cut off for good
  CHECK(shownOf({"\xff", "\x80"}, {}, false) == "\xff|\x80|");
}
TEST_CASE("text_stream: what may be a stop string is held") {
  CHECK(shownOf({"one st", "ay ", "sto", "p two"}, {"stop"}, false) == "one |stay |||");
  CHECK(shownOf({"st", "opera"}, {"stop"}, true) == "|stop|");
  CHECK(shownOf({"aab", "aac"}, {"aabaab", "aac"}, false) == "|aab|");
  CHECK(shownOf({"x\n", "\nUser", ":"}, {"\n\nUser:", "\n\nAI:"}, false) == "x|||");
  CHECK(shownOf({"x sto"}, {"stop"}, false) == "x |sto");
}
TEST_CASE("text_stream: a token that does not fit is said") {
  char buffer[4];
  TextStream stream(nullptr, 0, false, buffer, sizeof(buffer));
  stream.add({"hello", 5});
  CHECK(stream.isFull());
}
TEST_CASE("text_stream: how a text is cut does not matter") {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    std::string whole;
    for (int i = 0; i < 30; ++i)
      whole += "ab\xc3\xa9"[random() % 4];
    std::vector<std::string> stops;
    for (size_t i = random() % 3; i > 0; --i)
      stops.push_back(whole.substr(random() % 25, 1 + random() % 5));
    std::vector<std::string> tokens;
    for (size_t begin = 0; begin < whole.size();) {
      const size_t n = 1 + random() % 6;
      tokens.push_back(whole.substr(begin, n));
      begin += n;
    }
    size_t end = std::string::npos, first = end;
    for (const std::string &stop : stops)
      if (const size_t begin = whole.find(stop); begin != std::string::npos && begin + stop.size() <= end) {
        first = begin + stop.size() == end ? std::min(first, begin) : begin;
        end = begin + stop.size();
      }
    std::string shown = shownOf(tokens, stops, false);
    std::string joined;
    for (const char c : shown)
      if (c != '|')
        joined += c;
    CHECK(joined == whole.substr(0, first));
  }
}
