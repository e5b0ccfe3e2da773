// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A decoder for tests of what goes on around one: its likeliest id is a function of the last two, its session behaves
// as a generated one does, and calls are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

struct FakeSession {
  int64_t length = 0, rows = 0, calls = 0;
  const float *logits = nullptr;
  bool isWhole = false; ///< it has states that it cannot take back
  std::vector<int64_t> held;
  std::vector<float> scores;
};

/// `Step`: how far the next id is from the last but one.
template <int32_t Vocabulary, int64_t Rows, int64_t Step, int64_t Context = 64>
struct FakeDecoder {
  using Session = FakeSession;
  static constexpr int64_t context = Context, batch = 1, rows = Rows;
  static constexpr int32_t vocabulary = Vocabulary;

  static int64_t likeliest(const std::vector<int64_t> &held, size_t count) {
    return (held[count - 1] * 3 + (count > 1 ? held[count - 2] : 0) + Step) % Vocabulary;
  }
  static int prefill(Session &session, const int64_t *ids, int64_t count) {
    if (count > context - session.length)
      return 4;
    session.held.insert(session.held.end(), ids, ids + count);
    session.length += count;
    ++session.calls;
    session.rows = count < Rows ? count : Rows;
    session.scores.assign(size_t(session.rows * Vocabulary), 0.0f);
    for (int64_t row = 0; row < session.rows; ++row) {
      const int64_t id = likeliest(session.held, size_t(session.length - session.rows + row + 1));
      session.scores[size_t(row * Vocabulary + id)] = 1;
    }
    session.logits = session.scores.data();
    return 0;
  }
  static int rewind(Session &session, int64_t length) {
    if (length == session.length)
      return 0;
    if (session.isWhole && length != 0)
      return 8;
    session.held.resize(size_t(length));
    session.length = length;
    session.logits = nullptr;
    return 0;
  }
};

inline int32_t likeliestOf(const float *logits, int32_t count) {
  int32_t best = 0;
  for (int32_t id = 1; id < count; ++id)
    best = logits[id] > logits[best] ? id : best;
  return best;
}
