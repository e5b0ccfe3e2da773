// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of chat templates that are gone through, the innermost last.
#pragma once

#include "runtime-lite/generation/chat_access.h"

namespace sinter::generation {

struct ChatLoop {
  ChatValue *items;
  ChatValue *kept; ///< of a loop that only chooses
  uint32_t count, next, keptCount;

  ChatValue value(ChatLoopValue which) const {
    int64_t at = int64_t(next) - 1, left = int64_t(count) - next;
    switch (which) {
    case ChatLoopValue::Index:
      return chatInteger(at + 1);
    case ChatLoopValue::Index0:
      return chatInteger(at);
    case ChatLoopValue::First:
      return chatBoolean(at == 0);
    case ChatLoopValue::Last:
      return chatBoolean(left == 0);
    case ChatLoopValue::Length:
      return chatInteger(count);
    case ChatLoopValue::Left:
      return chatInteger(left + 1);
    case ChatLoopValue::Left0:
      return chatInteger(left);
    case ChatLoopValue::Previous:
      return at > 0 ? items[at - 1] : ChatValue();
    case ChatLoopValue::Next:
      return left > 0 ? items[at + 1] : ChatValue();
    }
    return ChatValue();
  }
};

class ChatLoops {
public:
  void begin(const ChatValue &over, ChatMemory &memory) {
    ChatValue list = listOf(over, memory);
    if (depth == mostLoops) {
      memory.fail(ChatTooLong, chatText("loops are nested too deeply"));
      return;
    }
    loops[depth++] = {list.items, nullptr, list.size, 0, 0};
  }
  /// The innermost.
  ChatLoop &inner() { return loops[depth - 1]; }
  void keep(ChatMemory &memory) {
    ChatLoop &loop = inner();
    if (!loop.kept)
      loop.kept = memory.values(loop.count);
    if (loop.kept)
      loop.kept[loop.keptCount++] = loop.items[loop.next - 1];
  }
  ChatLoop end() { return loops[--depth]; }

private:
  static constexpr uint32_t mostLoops = 96;
  ChatLoop loops[mostLoops];
  uint32_t depth = 0;
};

} // namespace sinter::generation
