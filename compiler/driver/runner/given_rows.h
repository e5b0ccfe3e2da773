// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of embeddings in a prompt, which front ends have made of pictures and sound that the program is given. A token
// stands for them: once for each row, or once for all rows of a picture, which it becomes as many times then.
// SINTER_GIVEN="header that front_rows.cpp writes", SINTER_GIVEN_NUMBER=float; without these there are none, and
// SINTER_UNSEEN=7,8 says which tokens would stand for some.
#pragma once

#include "session_program.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#ifdef SINTER_GIVEN
struct GivenPicture {
  int64_t frames, height, width;
  int64_t rows() const { return frames * height * width; }
};
struct GivenRows {
  int64_t token;
  size_t count;
  std::vector<SINTER_GIVEN_NUMBER> numbers;
  std::vector<GivenPicture> pictures; ///< where each row has a place in one
  size_t items;                       ///< pictures that are equally large; 0: not known
};
#include SINTER_GIVEN

class GivenInputs {
public:
  /// Calls the front ends with what lies in a file.
  GivenInputs(NET(_session) & session, const char *path) : session(session) {
    if (!path || !*path)
      return;
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::vector<uint64_t> aligned(bytes.size() / sizeof(uint64_t) + 1);
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char *>(aligned.data()));
    callFronts(session, reinterpret_cast<const unsigned char *>(aligned.data()), all);
  }

  /// The tokens of a text, as many as it has rows.
  std::vector<int64_t> expanded(const std::vector<int64_t> &ids) const {
    std::vector<int64_t> made = ids;
    for (const GivenRows &rows : all) {
      const auto places = static_cast<size_t>(std::count(made.begin(), made.end(), rows.token));
      if (places == rows.count)
        continue;
      const bool areKnown = places == rows.pictures.size();          // each of which has rows of its own
      const bool areParts = places != 0 && rows.items % places != 0; // of one picture, at several places
      if (places == 0 || (!areKnown && (areParts || rows.count % places != 0)))
        endWith(("what is given becomes " + std::to_string(rows.count) + " rows, and the prompt has the token " +
                 std::to_string(rows.token) + ", which stands for them, " + std::to_string(places) + " times")
                    .c_str(),
                "it stands there once for each picture, or once for each row");
      std::vector<int64_t> longer;
      size_t picture = 0;
      for (const int64_t id : made)
        longer.insert(longer.end(),
                      id != rows.token ? 1
                      : areKnown       ? static_cast<size_t>(rows.pictures[picture++].rows())
                                       : rows.count / places,
                      id);
      made = std::move(longer);
    }
    return made;
  }

  /// Appends the tokens behind the first `from` of them; `plain(ids, count)` does those that are tokens. A status.
  template <class Plain>
  int append(const std::vector<int64_t> &ids, size_t from, Plain plain) const {
    for (size_t i = from, end; i < ids.size(); i = end) {
      const GivenRows *const rows = rowsOf(ids[i]);
      for (end = i + 1; end < ids.size() && rowsOf(ids[end]) == rows;)
        ++end;
      const auto count = static_cast<int64_t>(end - i);
      if (!rows) {
        if (const int status = plain(&ids[i], count))
          return status;
        continue;
      }
      const auto before = std::count(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(i), rows->token);
      if (const int status = appendRows(*rows, before, count))
        return status;
    }
    return SINTER_OK;
  }

private:
  int appendRows(const GivenRows &rows, int64_t from, int64_t count) const {
    const auto *const numbers = rows.numbers.data();
#ifdef SINTER_GIVEN_PICTURES
    int64_t begin = 0, appended = 0;
    for (const GivenPicture &each : rows.pictures) {
      if (begin >= from && begin + each.rows() <= from + count) {
        if (const int status = NET(_prefill_picture)(&session, numbers + begin * SIZE(_SESSION_WIDTH), each.frames,
                                                     each.height, each.width))
          return status;
        appended += each.rows();
      }
      begin += each.rows();
    }
    if (begin != static_cast<int64_t>(rows.count) || appended != count)
      endWith(("the model makes " + std::to_string(rows.count) + " rows, and pictures of the stated sizes have " +
               std::to_string(begin) + ", of which the prompt has " + std::to_string(appended) + " of " +
               std::to_string(count))
                  .c_str());
    return SINTER_OK;
#else
    return NET(_prefill_rows)(&session, numbers + from * SIZE(_SESSION_WIDTH), count);
#endif
  }

  const GivenRows *rowsOf(int64_t id) const {
    for (const GivenRows &rows : all)
      if (rows.token == id)
        return &rows;
    return nullptr;
  }

  NET(_session) & session;
  std::vector<GivenRows> all;
};
#else
class GivenInputs {
public:
  GivenInputs(NET(_session) &, const char *) {}
  const std::vector<int64_t> &expanded(const std::vector<int64_t> &ids) const {
#ifdef SINTER_UNSEEN
    for (const int64_t unseen : {SINTER_UNSEEN})
      for (const int64_t id : ids)
        if (id == unseen && !isTold)
          isTold = std::fprintf(stderr,
                                "sinter: note: the token %lld of the prompt stands for a picture or a sound, and none "
                                "is given: --input NAME=FILE\n",
                                static_cast<long long>(id)) > 0;
#endif
    return ids;
  }
  template <class Plain>
  int append(const std::vector<int64_t> &ids, size_t from, Plain plain) const {
    return plain(ids.data() + from, static_cast<int64_t>(ids.size() - from));
  }

private:
  mutable bool isTold = false;
};
#endif
