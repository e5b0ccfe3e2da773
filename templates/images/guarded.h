// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries in C that end a function by a jump out of it when a stream is bad. What they allocate belongs to an object
// outside of the guarded step, whose destructor runs either way; the step itself has nothing to destroy.
#pragma once

#include <setjmp.h>

namespace sinter {
namespace {

/// False if `step` jumped to reader.onError.
template <class Reader>
static inline bool survives(Reader &reader, void (*step)(Reader &)) {
  if (setjmp(reader.onError) != 0)
    return false;
  step(reader);
  return true;
}

} // namespace
} // namespace sinter
