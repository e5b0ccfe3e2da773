// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of string tensors: bytes and their number, as the ABI has them.
#pragma once

#include "runtime-lite/types.h"

#include <string.h>

namespace sinter {
namespace {

[[maybe_unused]] static inline bool stringEqual(sinter_string a, sinter_string b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

} // namespace
} // namespace sinter
