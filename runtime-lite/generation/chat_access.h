// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of values of chat templates: members, items, slices, and lists of what values have in them.
#pragma once

#include "runtime-lite/generation/chat_operators.h"

namespace sinter::generation {

/// Whether Python has a method of that name for dictionaries. x["items"] without such a key is that method in Jinja.
inline bool isDictionaryMethod(ChatText name) {
  constexpr ChatText names[] = {chatText("clear"),  chatText("copy"),   chatText("fromkeys"),  chatText("get"),
                                chatText("items"),  chatText("keys"),   chatText("pop"),       chatText("popitem"),
                                chatText("update"), chatText("values"), chatText("setdefault")};
  for (const ChatText &candidate : names)
    if (equals(candidate, name))
      return true;
  return false;
}

inline ChatValue failUndefined(ChatMemory &memory) {
  memory.fail(ChatFailed, chatText("a part of something undefined is used"));
  return ChatValue();
}

inline ChatValue memberOf(const ChatValue &of, ChatText name, ChatMemory &memory) {
  if (of.is(ChatKind::Undefined))
    return failUndefined(memory);
  if (of.is(ChatKind::Dictionary)) {
    const ChatValue *value = lookUp(of, chatString(name), memory);
    return value ? *value : isDictionaryMethod(name) ? chatConstant(ChatKind::Method) : ChatValue();
  }
  for (uint32_t i = 0; of.is(ChatKind::Namespace) && i < of.members->count; ++i)
    if (memory.work(0) && equals(of.members->pairs[2 * i].asText(), name))
      return of.members->pairs[2 * i + 1];
  return ChatValue();
}
inline void setMember(const ChatValue &of, ChatText name, const ChatValue &value, ChatMemory &memory) {
  if (!of.is(ChatKind::Namespace)) {
    memory.fail(ChatFailed, chatText("an attribute of what is no namespace is set"));
    return;
  }
  uint32_t i = 0;
  while (i < of.members->count && memory.work(0) && !equals(of.members->pairs[2 * i].asText(), name))
    ++i;
  if (i == of.members->capacity) {
    memory.fail(ChatTooLong, chatText("a namespace has too many members"));
    return;
  }
  of.members->pairs[2 * i] = chatString(name);
  of.members->pairs[2 * i + 1] = value;
  of.members->count += i == of.members->count;
}

inline ChatValue character(ChatText text, int64_t index, ChatMemory &memory) {
  memory.work(2 * text.size);
  int64_t count = int64_t(characterCount(text));
  index += index < 0 ? count : 0;
  if (index < 0 || index >= count)
    return ChatValue();
  size_t at = characterStart(text, size_t(index));
  return chatString({text.data + at, characterSize(text, at)});
}

inline ChatValue itemOf(const ChatValue &of, const ChatValue &index, ChatMemory &memory) {
  if (of.is(ChatKind::Undefined))
    return failUndefined(memory);
  if (of.is(ChatKind::Dictionary) || of.is(ChatKind::Namespace)) {
    if (index.isText())
      return memberOf(of, index.asText(), memory);
    const ChatValue *value = of.is(ChatKind::Dictionary) ? lookUp(of, index, memory) : nullptr;
    return value ? *value : ChatValue();
  }
  if (index.isInteger() && of.isText())
    return character(of.asText(), index.integer, memory);
  if (index.isInteger() && of.is(ChatKind::List)) {
    int64_t at = index.integer + (index.integer < 0 ? int64_t(of.size) : 0);
    return at >= 0 && at < int64_t(of.size) ? of.items[at] : ChatValue();
  }
  return ChatValue();
}

/// What a loop goes through: characters, values, keys.
inline ChatValue listOf(const ChatValue &of, ChatMemory &memory) {
  size_t count = of.isText() ? characterCount(of.asText()) : of.size;
  switch (of.kind) {
  case ChatKind::Undefined:
    return chatItems(ChatKind::List, nullptr, 0);
  case ChatKind::List:
    return of;
  case ChatKind::String:
  case ChatKind::Dictionary: {
    ChatValue *items = memory.values(count);
    if (!items)
      return ChatValue();
    size_t at = 0;
    for (size_t i = 0; i < count; ++i)
      if (of.isText()) {
        size_t size = characterSize(of.asText(), at);
        items[i] = chatString({of.text + at, size});
        at += size;
      } else {
        items[i] = of.items[2 * i];
      }
    return chatItems(ChatKind::List, items, count);
  }
  default:
    memory.fail(ChatFailed, chatText("what is gone through has nothing in it"));
    return ChatValue();
  }
}
/// Of a dictionary: its pairs, as lists of two.
inline ChatValue pairsOf(const ChatValue &of, ChatMemory &memory) {
  ChatValue *items = memory.values(of.size);
  for (uint32_t i = 0; items && i < of.size; ++i)
    items[i] = chatItems(ChatKind::List, of.items + 2 * i, 2);
  return chatItems(ChatKind::List, items, items ? of.size : 0);
}

inline ChatValue sliceOf(const ChatValue &of, const ChatValue &from, const ChatValue &to, const ChatValue &step,
                         ChatMemory &memory) {
  if (of.is(ChatKind::Undefined))
    return failUndefined(memory);
  if (!of.isText() && !of.is(ChatKind::List))
    return ChatValue();
  const auto isBound = [](const ChatValue &bound) { return bound.isInteger() || bound.is(ChatKind::None); };
  int64_t stride = step.isInteger() ? step.integer : 1;
  if (!isBound(from) || !isBound(to) || !isBound(step) || stride == 0)
    return ChatValue(); // so Jinja has it: Python's error becomes undefined
  memory.work(of.isText() ? 2 * of.size : 0);
  int64_t count = of.isText() ? int64_t(characterCount(of.asText())) : int64_t(of.size);
  int64_t lowest = stride < 0 ? -1 : 0, highest = stride < 0 ? count - 1 : count;
  const auto clamp = [&](const ChatValue &bound, int64_t otherwise) {
    if (!bound.isInteger())
      return otherwise;
    int64_t at = bound.integer < 0 ? bound.integer + count : bound.integer;
    return at < lowest ? lowest : at > highest ? highest : at;
  };
  int64_t first = clamp(from, stride < 0 ? highest : lowest), last = clamp(to, stride < 0 ? lowest : highest);
  if (of.isText() && stride == 1) {
    size_t begin = characterStart(of.asText(), size_t(first)),
           end = last > first ? characterStart(of.asText(), size_t(last)) : begin;
    return chatString({of.text + begin, end - begin});
  }
  if (of.is(ChatKind::List) && stride == 1)
    return chatItems(ChatKind::List, of.items + first, last > first ? size_t(last - first) : 0);
  ChatValue list = listOf(of, memory);
  ChatValue *items = memory.values(size_t(count));
  size_t size = 0;
  for (int64_t i = first; memory.isGood() && (stride > 0 ? i < last : i > last); i += stride) {
    items[size++] = list.items[i];
    if (stride > count || stride < -count)
      break;
  }
  if (!of.isText())
    return chatItems(ChatKind::List, items, size);
  ChatTextBuilder builder(memory);
  for (size_t i = 0; i < size; ++i)
    builder.add(items[i].asText());
  return builder.end();
}

} // namespace sinter::generation
