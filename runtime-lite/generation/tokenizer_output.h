// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where token ids go: the caller's array. Those that do not fit are counted, so that the caller learns how many there
// are.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sinter::generation {

struct IdWriter {
  int32_t *ids;
  size_t capacity;
  size_t count = 0;
  void put(uint32_t id) {
    if (count < capacity)
      ids[count] = int32_t(id);
    ++count;
  }
};

} // namespace sinter::generation
