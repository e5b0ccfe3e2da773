// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of a session of one sequence. Where the session has logits of several rows, a step takes tokens along that may
// come next by what the text says elsewhere, and what is chosen decides how many of them stand: the text is the same,
// with fewer calls.
#pragma once

#include "token_sampler.h"

class DraftedSteps {
public:
  explicit DraftedSteps(NET(_session) & session) : session(session) {}

  /// Behind a prefill: no drafts are there.
  void begin() {
    drafted.clear();
    row = 0;
    before = session.length - 1;
    calls = 0;
  }
  /// Behind the tokens that stand.
  const float *logits() const {
    const int64_t rows = drafted.empty() ? 1 : static_cast<int64_t>(drafted.size()) + 1;
    return session.logits + (session.rows - rows + static_cast<int64_t>(row)) * SIZE(_SESSION_VOCABULARY);
  }
  /// Tokens that stand in the caches.
  int64_t length() const { return before + 1 + static_cast<int64_t>(row); }

  /// Goes on by the token that was chosen, the last of `text`. `most`: how many tokens may come behind it. A status.
  template <class Id>
  int take(const std::vector<Id> &text, int64_t most) {
    const auto id = static_cast<int64_t>(text.back());
    if (row < drafted.size() && drafted[row] == id) {
      ++row;
      return SINTER_OK;
    }
    if (const int status = dropRejected())
      return status;
    before = session.length;
    row = 0;
    drafted.clear();
    draft(text, most);
    std::vector<int64_t> ids = {id};
    ids.insert(ids.end(), drafted.begin(), drafted.end());
    ++calls;
    return NET(_prefill)(&session, ids.data(), static_cast<int64_t>(ids.size()));
  }
  /// Drafts that do not stand leave the caches.
  int dropRejected() {
    const int64_t stands = length();
    drafted.clear();
    return NET(_rewind)(&session, stands);
  }

  long calls = 0;

private:
  /// What followed the text's last tokens where they stood before.
  template <class Id>
  void draft(const std::vector<Id> &text, int64_t most) {
    constexpr int64_t rows = SIZE(_SESSION_ROWS);
    const int64_t room = std::min({rows - 1, most - 1, SIZE(_SESSION_CONTEXT) - session.length - 1});
    if (room <= 0)
      return;
    constexpr int32_t longest = 3;
    const std::vector<int32_t> ids(text.begin(), text.end());
    std::vector<int32_t> found(static_cast<size_t>(room));
    const int32_t count = sinter::draftFromText({ids.data(), static_cast<int32_t>(ids.size())}, longest,
                                                static_cast<int32_t>(room), {}, found.data());
    drafted.assign(found.begin(), found.begin() + count);
  }

  NET(_session) & session;
  std::vector<int64_t> drafted; ///< that the last call had behind its first token
  size_t row = 0;               ///< how many of them stand
  int64_t before = 0;           ///< tokens that were held before that call
};
