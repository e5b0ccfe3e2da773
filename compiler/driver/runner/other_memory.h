// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that belongs to the rest of an application: read between two calls, it drives the model out of the caches, as
// that application would (--cold of `sinter bench`).
#pragma once

#include "list.h"

#include <stdint.h>

class OtherMemory {
public:
  /// Written, since memory that nobody wrote is one page of zeros that all addresses share.
  explicit OtherMemory(size_t bytes) {
    lines.resize(bytes / sizeof(Line));
    for (size_t i = 0; i < lines.size(); ++i)
      lines[i].word = i;
  }

  void read() {
    uint64_t sum = 0;
    for (const Line &line : lines)
      sum += line.word;
    seen = sum;
  }

private:
  struct Line { // of a cache: one word of it brings it all
    uint64_t word = 0, others[7] = {};
  };
  List<Line> lines;
  volatile uint64_t seen = 0; // so that the sum is needed
};
