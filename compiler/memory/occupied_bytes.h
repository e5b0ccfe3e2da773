// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who has which bytes of one address space: for check.cpp and needed_bytes.cpp, which go over programs of thousands of
// buffers.
#pragma once

#include "segments.h"

#include "llvm/ADT/SmallVector.h"

namespace sinter {

class OccupiedBytes {
public:
  /// `holder` has the bytes from `begin` to before `end` from now on, beside those who have them already.
  void add(int64_t begin, int64_t end, unsigned holder);
  /// Precondition: added with the same bytes.
  void remove(int64_t begin, int64_t end, unsigned holder);
  /// Who has a byte of these; ascending, each once.
  llvm::SmallVector<unsigned> holdersOf(int64_t begin, int64_t end) const;
  /// Bytes that anybody has.
  int64_t bytes() const { return occupied; }

private:
  Segments<llvm::SmallVector<unsigned, 2>> holders; ///< ascending
  int64_t occupied = 0;
};

} // namespace sinter
