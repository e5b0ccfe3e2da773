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
  const uint32_t *pieceIds = nullptr; ///< Tables::pieceIds
  size_t count = 0;
  uint32_t last = 0xffffffffu;
  void put(uint32_t id) {
    if (count < capacity)
      ids[count] = int32_t(id);
    last = id;
    ++count;
  }
  /// A token of the model, by the model's number.
  void putPiece(uint32_t piece) { put(pieceIds ? pieceIds[piece] : piece); }
};

} // namespace sinter::generation
