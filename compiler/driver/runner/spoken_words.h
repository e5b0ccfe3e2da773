// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line for each word that is heard, with its times: of each token that is given to the decoder the attentions of some
// heads are kept, and told by them where it ends (the library's word_times.h, which is before this file). Compiled with
// SINTER_ALIGNMENT_HEADS, pairs of one of the session's attentions and a head of it, SINTER_MEDIAN_FILTER, and
// SINTER_BLANKLESS, the languages that write words without blanks; all lists have a comma behind each number.
#pragma once

#include "session_program.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

class SpokenWords {
public:
  /// The next part of the sound; what its text begins with says the language.
  void beginPart() { rows.clear(); }
  void setPrompt(const std::vector<int64_t> &prompt) {
    const int64_t blankless[] = {SINTER_BLANKLESS - 1};
    hasBlanks = std::none_of(prompt.begin(), prompt.end(), [&](int64_t id) {
      return std::find(std::begin(blankless), std::end(blankless) - 1, id) != std::end(blankless) - 1;
    });
  }

  /// Of the token that was taken last.
  void take(const NET(_session) & session) {
    pitch = static_cast<int32_t>(session.encoded);
    for (size_t i = 0; i + 1 < headCount; i += 2) {
      if (heads[i + 1] >= SIZE(_SESSION_HEADS))
        endWith("the configuration names a head for words that the model does not have");
      const float *row = session.attentions[heads[i]] + heads[i + 1] * session.encoded;
      rows.insert(rows.end(), row, row + session.encoded);
    }
  }

  /// Where each of the tokens ends, in seconds from `from` on; `frames` of the part are sound. Where the part lies
  /// behind the sound, transformers leaves out as many at its end.
  std::vector<double> ends(size_t tokens, int64_t frames, double from) {
    const auto ofToken = static_cast<int32_t>(headCount / 2);
    const int64_t count = pitch ? static_cast<int64_t>(rows.size()) / (int64_t(ofToken) * pitch) : 0;
    const int64_t heard = frames >= 0 ? frames / sinter::kTimeFrames : pitch + (frames - 1) / sinter::kTimeFrames;
    const int64_t steps = std::max<int64_t>(0, std::min<int64_t>(pitch, heard));
    const sinter::Alignment alignment = {ofToken, static_cast<int32_t>(count), static_cast<int32_t>(steps), pitch,
                                         SINTER_MEDIAN_FILTER};
    std::vector<float> byHead(rows.size());
    for (int64_t token = 0; token < count; ++token)
      for (int32_t head = 0; head < ofToken; ++head) {
        float *const row = rows.data() + (token * ofToken + head) * pitch;
        sinter::makeShares(row, pitch);
        std::copy(row, row + pitch, byHead.begin() + (head * count + token) * pitch);
      }
    std::vector<int32_t> at(static_cast<size_t>(count));
    std::vector<float> scratch(sinter::alignmentBytes(alignment) / sizeof(float) + 1);
    sinter::alignTokens(alignment, byHead.data(), at.data(), scratch.data());
    std::vector<double> seconds;
    for (size_t i = 0; i < tokens; ++i) // the last one may not have been given to the decoder
      seconds.push_back(from + (at.empty() ? 0 : at[std::min(i, at.size() - 1)]) * sinter::kSecondsOfTimeStep);
    return seconds;
  }

  /// The words of a part of the text; `firstTime` and what is above are no text.
  void show(const std::vector<int64_t> &made, const sinter::SpeechPart &part, const std::vector<double> &seconds,
            int64_t firstTime) {
    std::string text;
    std::vector<sinter::SpokenWord> words;
    std::vector<double> from, to; // of the tokens of the text
    bool isWhole = true;
    for (int32_t i = part.from; i < part.to; ++i) {
      const auto at = static_cast<size_t>(i);
      if (made[at] < firstTime) {
        const auto token = static_cast<int32_t>(to.size());
        auto begin = static_cast<int32_t>(text.size());
        bool goesOn = !isWhole;
        isWhole = add(made[at], text);
        if (goesOn && text.compare(static_cast<size_t>(begin), replacement.size(), replacement) == 0) {
          begin += static_cast<int32_t>(replacement.size()); // what was held has not become whole: it was a piece
          words.back().textTo = begin;
          goesOn = false;
        }
        if (!goesOn)
          words.push_back({token, token, begin, begin});
        words.back().to = token + 1;
        words.back().textTo = static_cast<int32_t>(text.size());
        from.push_back(last);
        to.push_back(seconds[at]);
      }
      last = seconds[at];
    }
    if (!isWhole) {
      end(text);
      words.back().textTo = static_cast<int32_t>(text.size());
    }
    int32_t count = static_cast<int32_t>(words.size());
    if (isText)
      count = sinter::joinWords(text.data(), words.data(), count, hasBlanks);
    for (int32_t i = 0; i < count; ++i) {
      const sinter::SpokenWord &word = words[static_cast<size_t>(i)];
      std::printf("[%.2f --> %.2f]", from[static_cast<size_t>(word.from)], to[static_cast<size_t>(word.to - 1)]);
      std::fwrite(text.data() + word.textFrom, 1, static_cast<size_t>(word.textTo - word.textFrom), stdout);
      std::printf("\n");
    }
    std::fflush(stdout);
  }

private:
  /// Adds a token's text; whether that ends with a whole code point.
#ifdef SINTER_TOKENIZER
  static constexpr bool isText = true;
  bool add(int64_t id, std::string &text) {
    char made[SINTER_TOKENS_TOKEN_BYTES + 4], rest[SINTER_TOKENS_TOKEN_BYTES + 4];
    text.append(made, sinter_tokens_stream_next(&bytes, static_cast<int32_t>(id), made, sizeof made, 0));
    sinter_tokens_stream held = bytes;
    return sinter_tokens_stream_end(&held, rest, sizeof rest) == 0;
  }
  void end(std::string &text) {
    char rest[SINTER_TOKENS_TOKEN_BYTES + 4];
    text.append(rest, sinter_tokens_stream_end(&bytes, rest, sizeof rest));
  }
  sinter_tokens_stream bytes = {};
#else
  static constexpr bool isText = false;
  bool add(int64_t id, std::string &text) {
    text += " " + std::to_string(id);
    return true;
  }
  void end(std::string &) {}
#endif

  const std::string replacement = "\xef\xbf\xbd"; // U+FFFD

  static constexpr int64_t heads[] = {SINTER_ALIGNMENT_HEADS - 1};
  static constexpr size_t headCount = sizeof heads / sizeof heads[0] - 1;
  std::vector<float> rows; ///< [token][head][pitch]
  int32_t pitch = 0;
  double last = 0; ///< where the token before ended
  bool hasBlanks = true;
};
