// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a caller gives to a chat template, as values.
#pragma once

#include "runtime-lite/generation/chat_date.h"
#include "runtime-lite/generation/chat_json_read.h"

namespace sinter::generation {

struct ChatMessage {
  const char *role;
  size_t roleBytes;
  const char *content; ///< null: the message has none
  size_t contentBytes;
};
/// A text by its name, or JSON: tools, documents, enable_thinking. `messages` as JSON replaces the others.
struct ChatVariable {
  const char *name;
  size_t nameBytes;
  const char *text;
  size_t textBytes;
  uint32_t isJson;
};
struct ChatInput {
  const ChatMessage *messages;
  size_t messageCount;
  const ChatVariable *variables;
  size_t variableCount;
  const ChatDate *date; ///< or null
  bool addsGenerationPrompt;
};
/// No text of the caller is longer.
constexpr size_t chatMostBytes = size_t(1) << 28;

inline ChatValue inputText(const char *text, size_t bytes, ChatMemory &memory) {
  if (!text)
    return chatConstant(ChatKind::None);
  if (bytes > chatMostBytes)
    memory.fail(ChatTooLong, chatText("a text of the caller is too long"));
  return chatString({text, bytes > chatMostBytes ? 0 : bytes});
}

inline ChatValue inputMessages(const ChatInput &input, ChatMemory &memory) {
  ChatValue *items = memory.values(input.messageCount);
  for (size_t i = 0; items && i < input.messageCount; ++i) {
    const ChatMessage &message = input.messages[i];
    ChatValue *pairs = memory.values(4);
    if (!pairs)
      break;
    pairs[0] = chatString(chatText("role"));
    pairs[1] = inputText(message.role, message.roleBytes, memory);
    pairs[2] = chatString(chatText("content"));
    pairs[3] = inputText(message.content, message.contentBytes, memory);
    items[i] = chatItems(ChatKind::Dictionary, pairs, 2);
  }
  return chatItems(ChatKind::List, items, items ? input.messageCount : 0);
}

/// The value of a name of the template's; undefined if the caller gives none. tools and documents are none then.
inline ChatValue inputValue(const ChatInput &input, ChatText name, ChatMemory &memory) {
  for (size_t i = 0; i < input.variableCount; ++i) {
    const ChatVariable &variable = input.variables[i];
    if (!equals({variable.name, variable.nameBytes}, name))
      continue;
    ChatValue text = inputText(variable.text, variable.textBytes, memory);
    return variable.isJson && text.isText() ? ChatJsonReader(text.asText(), memory).whole() : text;
  }
  if (equals(name, chatText("messages")))
    return inputMessages(input, memory);
  if (equals(name, chatText("add_generation_prompt")))
    return chatBoolean(input.addsGenerationPrompt);
  if (equals(name, chatText("tools")) || equals(name, chatText("documents")))
    return chatConstant(ChatKind::None);
  return ChatValue();
}

} // namespace sinter::generation
