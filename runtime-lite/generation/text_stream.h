// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the bytes of tokens to text that can be shown: whole code points only, nothing that may be the begin of a stop
// string, and nothing behind one that came. The buffer is the caller's; what is held is at most a token, the longest
// stop string and three bytes.
//
//   TextStream stream(stops, stopCount, /*keepsStop=*/false, buffer, capacity);
//   for each token: sinter_string shown = stream.add(bytes); write(shown); if (stream.isStopped()) break;
//   write(stream.finish());
#pragma once

#include "runtime-lite/compiler.h"
#include "runtime-lite/types.h"

namespace sinter {
namespace {

/// How many bytes at the end begin a code point whose others are missing: 0 to 3. Bytes that are no UTF-8 are complete.
SINTER_FUNCTION size_t incompleteTail(const char *text, size_t size) {
  for (size_t back = 1; back <= 3 && back <= size; ++back) {
    const unsigned char byte = static_cast<unsigned char>(text[size - back]);
    if ((byte & 0xc0u) == 0x80u)
      continue;
    const size_t needed = byte >= 0xf0 && byte <= 0xf4  ? 4
                          : byte >= 0xe0 && byte < 0xf0 ? 3
                          : byte >= 0xc2 && byte < 0xe0 ? 2
                                                        : 1;
    return needed > back ? back : 0;
  }
  return 0;
}

/// Bytes of the buffer that a stream needs for tokens and stop strings of these lengths.
[[maybe_unused]] constexpr size_t text_stream_bytes(size_t longestToken, size_t longestStop) {
  return longestToken + longestStop + 3;
}

class TextStream {
public:
  TextStream(const sinter_string *stops, int32_t stopCount, bool keepsStop, char *buffer, size_t capacity)
      : stops(stops), stopCount(stopCount), keepsStop(keepsStop), buffer(buffer), capacity(capacity) {}

  /// The text that may now be shown, which stays good until the next call. Of a token that does not fit, nothing is
  /// taken, and isFull says so.
  sinter_string add(sinter_string token) {
    drop();
    if (stopped || token.size > capacity - size) {
      full |= !stopped;
      return {buffer, 0};
    }
    for (size_t i = 0; i < token.size; ++i)
      buffer[size++] = token.data[i];
    if (findStop())
      return {buffer, shown = size};
    const size_t held = heldTail();
    shown = size - held;
    shown -= incompleteTail(buffer, shown);
    return {buffer, shown};
  }
  /// What was held, when no token will come.
  sinter_string finish() {
    drop();
    return {buffer, shown = size};
  }
  /// Whether a stop string came; what followed it in its token is dropped.
  bool isStopped() const { return stopped; }
  int32_t stop() const { return found; }
  bool isFull() const { return full; }

private:
  void drop() {
    for (size_t i = shown; i < size; ++i)
      buffer[i - shown] = buffer[i];
    size -= shown;
    shown = 0;
  }
  bool isAt(size_t begin, const sinter_string &stop, size_t n) const {
    for (size_t i = 0; i < n; ++i)
      if (buffer[begin + i] != stop.data[i])
        return false;
    return true;
  }
  /// The stop string that is complete first, of several there the longest: the same however the text was cut.
  bool findStop() {
    size_t least = size + 1, begin = 0;
    for (size_t end = 1; end <= size && least > size; ++end)
      for (int32_t i = 0; i < stopCount; ++i) {
        const size_t n = stops[i].size;
        if (!n || n > end || !isAt(end - n, stops[i], n) || (least == end && begin <= end - n))
          continue;
        found = i;
        least = end;
        begin = end - n;
      }
    if (least > size)
      return false;
    size = keepsStop ? least : begin;
    return stopped = true;
  }
  /// The longest tail that is the begin of a stop string.
  size_t heldTail() const {
    for (size_t begin = 0; begin < size; ++begin)
      for (int32_t i = 0; i < stopCount; ++i)
        if (size - begin < stops[i].size && isAt(begin, stops[i], size - begin))
          return size - begin;
    return 0;
  }

  const sinter_string *stops;
  int32_t stopCount;
  bool keepsStop;
  char *buffer;
  size_t capacity, size = 0, shown = 0;
  bool stopped = false, full = false;
  int32_t found = -1;
};

} // namespace
} // namespace sinter
