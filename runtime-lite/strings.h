// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of string tensors: bytes and their number, as the ABI has them.
#pragma once

#include "runtime-lite/types.h"

namespace sinter {
namespace {

// Not memcmp: where only equality is asked Clang calls bcmp instead, which is not in every C library.
[[maybe_unused]] static inline bool stringEqual(sinter_string a, sinter_string b) {
  if (a.size != b.size)
    return false;
  for (size_t i = 0; i < a.size; ++i)
    if (a.data[i] != b.data[i])
      return false;
  return true;
}

} // namespace
} // namespace sinter
