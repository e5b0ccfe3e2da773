// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scratch of a chat template: values and text that are made while it runs, one behind the other and kept to the
// end; what is captured grows in a part of its own. And the status, with which all ends that does not go well.
#pragma once

#include "runtime-lite/generation/chat_text.h"

namespace sinter::generation {

class ChatMemory {
public:
  ChatMemory(void *scratch, size_t bytes) {
    size_t skip = (16 - (uintptr_t(scratch) & 15)) & 15;
    base = static_cast<char *>(scratch) + (skip < bytes ? skip : bytes);
    size_t size = skip < bytes ? bytes - skip : 0;
    end = size / 2 & ~size_t(15);
    captureBase = base + end;
    captureEnd = size - end;
  }

  bool isGood() const { return status == ChatOk; }
  bool fail(ChatStatus with, ChatText what) {
    if (status == ChatOk) {
      status = with;
      message = what;
    }
    return false;
  }
  /// Work that is done; false when it was too much.
  bool work(size_t bytes) {
    done += 1 + bytes / 16;
    return done <= mostWork || fail(ChatTooLong, chatText("the template does not come to an end"));
  }

  /// Null, and a status, if there is no memory.
  char *bytes(size_t count) {
    if (count > end - used) {
      fail(ChatNoMemory, chatText("the scratch is too small"));
      return nullptr;
    }
    char *result = base + used;
    used += count;
    work(count);
    return result;
  }
  ChatValue *values(size_t count) {
    used = (used + 15) & ~size_t(15);
    if (used > end || count > (end - used) / sizeof(ChatValue)) {
      fail(ChatNoMemory, chatText("the scratch is too small"));
      return nullptr;
    }
    void *at = bytes(count * sizeof(ChatValue));
    ChatValue *result = static_cast<ChatValue *>(at);
    for (size_t i = 0; i < count; ++i)
      result[i] = ChatValue();
    return result;
  }
  ChatValue copy(ChatText text) {
    char *to = bytes(text.size);
    if (!to)
      return ChatValue();
    if (text.size)
      memcpy(to, text.data, text.size);
    return chatString({to, text.size});
  }

  /// Captured text: who begins remembers where, and ends there.
  size_t captured() const { return captureUsed; }
  bool capture(ChatText text) {
    if (text.size > captureEnd - captureUsed)
      return fail(ChatNoMemory, chatText("the scratch is too small"));
    if (text.size)
      memcpy(captureBase + captureUsed, text.data, text.size);
    captureUsed += text.size;
    return work(text.size);
  }
  ChatValue endCapture(size_t from) {
    ChatValue value = copy({captureBase + from, captureUsed - from});
    captureUsed = from;
    return value;
  }

  ChatStatus status = ChatOk;
  ChatText message = {"", 0};

private:
  static constexpr uint64_t mostWork = 1 << 26;
  char *base = nullptr, *captureBase = nullptr;
  size_t end = 0, used = 0, captureEnd = 0, captureUsed = 0;
  uint64_t done = 0;
};

/// Text that is put together out of parts whose sizes are known only when they are made: it is captured.
class ChatTextBuilder {
public:
  explicit ChatTextBuilder(ChatMemory &memory) : memory(memory), from(memory.captured()) {}
  void add(ChatText text) { memory.capture(text); }
  void add(char c) { memory.capture({&c, 1}); }
  ChatValue end() { return memory.endCapture(from); }

private:
  ChatMemory &memory;
  size_t from;
};

/// Digits of a number, in a buffer of its own.
struct ChatDigits {
  char buffer[24];
  ChatText text;
  explicit ChatDigits(int64_t number, size_t width = 0) {
    uint64_t rest = number < 0 ? 0 - uint64_t(number) : uint64_t(number);
    size_t at = sizeof(buffer);
    do
      buffer[--at] = char('0' + rest % 10);
    while (rest /= 10);
    while (at && sizeof(buffer) - at < width)
      buffer[--at] = '0';
    if (number < 0)
      buffer[--at] = '-';
    text = {buffer + at, sizeof(buffer) - at};
  }
  ChatDigits(const ChatDigits &) = delete;
  ChatDigits &operator=(const ChatDigits &) = delete;
};

} // namespace sinter::generation
