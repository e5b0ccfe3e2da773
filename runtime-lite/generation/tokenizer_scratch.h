// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The caller's memory, given out from the front. What does not fit is noted, and encoding ends with that.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sinter::generation {

class Scratch {
public:
  Scratch(void *memory, size_t bytes) : memory(static_cast<uint8_t *>(memory)), bytes(bytes) {
    size_t off = reinterpret_cast<uintptr_t>(memory) & 7;
    used = off ? 8 - off : 0;
  }
  /// Null where too little is left.
  template <class T>
  T *take(size_t count) {
    if (used > bytes || count > (bytes - used) / sizeof(T)) {
      overflowed = true;
      return nullptr;
    }
    T *taken = reinterpret_cast<T *>(memory + used);
    used += (count * sizeof(T) + 7) & ~size_t(7);
    return taken;
  }
  size_t mark() const { return used; }
  void release(size_t mark) { used = mark; }
  bool hasOverflowed() const { return overflowed; }

private:
  uint8_t *memory;
  size_t bytes, used;
  bool overflowed = false;
};

/// Text that is written into scratch: the rest of the scratch is its until it is ended.
class TextWriter {
public:
  TextWriter(Scratch &scratch, size_t most) : scratch(scratch), start(scratch.mark()) {
    to = scratch.take<uint8_t>(most);
    room = to ? most : 0;
  }
  bool isGood() const { return to != nullptr; }
  void put(const uint8_t *bytes, size_t count) {
    if (count > room - size) {
      room = size; // a bound of the compiler's that does not hold: never beyond it
      return;
    }
    for (size_t i = 0; i < count; ++i)
      to[size + i] = bytes[i];
    size += count;
  }
  const uint8_t *bytes() const { return to; }
  bool endsWith(const uint8_t *bytes, size_t count) const {
    for (size_t i = 0; i < count; ++i)
      if (size < count || to[size - count + i] != bytes[i])
        return false;
    return true;
  }
  void shorten(size_t count) { size -= count; }
  /// Gives back what was not written.
  size_t end() {
    if (to) {
      scratch.release(start);
      (void)scratch.take<uint8_t>(size);
    }
    return size;
  }

private:
  Scratch &scratch;
  size_t start, size = 0, room = 0;
  uint8_t *to;
};

} // namespace sinter::generation
