// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of string tensors: bytes and their number, as the ABI has them.
#pragma once

#include "runtime-lite/compiler.h"
#include "runtime-lite/types.h"

namespace sinter {
namespace {

// Not memcmp: where only equality is asked Clang calls bcmp instead, which is not in every C library.
SINTER_FUNCTION bool stringEqual(sinter_string a, sinter_string b) {
  if (a.size != b.size)
    return false;
  for (size_t i = 0; i < a.size; ++i)
    if (a.data[i] != b.data[i])
      return false;
  return true;
}

/// -1, 0, 1: by bytes, which is the order of code points in UTF-8; what another string begins with comes before it.
SINTER_FUNCTION int stringCompare(sinter_string a, sinter_string b) {
  for (size_t i = 0; i < a.size && i < b.size; ++i)
    if (a.data[i] != b.data[i])
      return static_cast<unsigned char>(a.data[i]) < static_cast<unsigned char>(b.data[i]) ? -1 : 1;
  return a.size < b.size ? -1 : a.size > b.size ? 1 : 0;
}

} // namespace
} // namespace sinter
