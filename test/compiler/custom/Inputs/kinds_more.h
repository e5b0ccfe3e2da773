// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kinds.h includes: it goes along with it.
#pragma once

#include <stdint.h>

namespace kinds {
inline uint16_t moved(uint16_t bits) { return bits; }
} // namespace kinds
