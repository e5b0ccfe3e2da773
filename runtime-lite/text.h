// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where kernels leave the bytes of strings that they make: a place in the arena of stated size, in which text is only
// ever added, so that a string stays good until the call's end and in its outputs until the next call.
#pragma once

#include "runtime-lite/types.h"
#include "runtime-lite/view.h"

namespace sinter {
namespace {

/// One string after the other. What does not fit is counted and not written.
class TextWriter {
public:
  template <class Byte>
  TextWriter(const View<int64_t, 0> &used, const View<Byte, 1> &text)
      : used(used.data), data(reinterpret_cast<char *>(text.data)), capacity(text.sizes[0]), begin(*used.data),
        end(*used.data) {}

  void add(char byte) {
    if (end < capacity)
      data[end] = byte;
    ++end;
  }
  void add(sinter_string more) {
    for (size_t i = 0; i < more.size; ++i)
      add(more.data[i]);
  }
  /// The string of what was added since the last one.
  sinter_string finish() {
    const sinter_string made = {data + begin, static_cast<size_t>(end - begin)};
    if (!fits())
      return {data, 0};
    *used = begin = end;
    return made;
  }
  bool fits() const { return end <= capacity; }

private:
  int64_t *used;
  char *data;
  int64_t capacity, begin, end;
};

} // namespace
} // namespace sinter
