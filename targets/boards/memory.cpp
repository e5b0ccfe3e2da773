// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that generated code, semihosting.h and compilers ask for, for images without a C library. Word by word
// where addresses allow: no core faults, and the loops are short enough for small flash.
#include <stddef.h>
#include <stdint.h>

extern "C" {
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
size_t strlen(const char *text);
}

namespace {
// Words of memory that has another type.
typedef uint32_t Word __attribute__((may_alias));
bool aligned(const void *a, const void *b) {
  return (reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b)) % sizeof(Word) == 0;
}
} // namespace

// Else the compiler makes calls of memcpy of the loop that is memcpy.
#pragma GCC optimize("no-tree-loop-distribute-patterns")

void *memcpy(void *to, const void *from, size_t bytes) {
  auto *out = static_cast<unsigned char *>(to);
  auto *in = static_cast<const unsigned char *>(from);
  if (aligned(to, from))
    for (; bytes >= sizeof(Word); bytes -= sizeof(Word), out += sizeof(Word), in += sizeof(Word))
      *reinterpret_cast<Word *>(out) = *reinterpret_cast<const Word *>(in);
  for (; bytes > 0; --bytes)
    *out++ = *in++;
  return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
  auto *out = static_cast<unsigned char *>(to);
  auto *in = static_cast<const unsigned char *>(from);
  if (out <= in || out >= in + bytes)
    return memcpy(to, from, bytes);
  while (bytes-- > 0)
    out[bytes] = in[bytes];
  return to;
}

void *memset(void *to, int value, size_t bytes) {
  auto *out = static_cast<unsigned char *>(to);
  const auto byte = static_cast<unsigned char>(value);
  if (aligned(to, to))
    for (; bytes >= sizeof(Word); bytes -= sizeof(Word), out += sizeof(Word))
      *reinterpret_cast<Word *>(out) = byte * 0x01010101u;
  for (; bytes > 0; --bytes)
    *out++ = byte;
  return to;
}

int memcmp(const void *a, const void *b, size_t bytes) {
  auto *left = static_cast<const unsigned char *>(a);
  auto *right = static_cast<const unsigned char *>(b);
  for (; bytes > 0; --bytes, ++left, ++right)
    if (*left != *right)
      return *left < *right ? -1 : 1;
  return 0;
}

size_t strlen(const char *text) {
  const char *end = text;
  while (*end)
    ++end;
  return static_cast<size_t>(end - text);
}
