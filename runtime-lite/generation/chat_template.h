// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renders a conversation by a compiled chat template (chat_program.h; compiler/chat_template makes them). All memory is
// the caller's; work, depth and text have limits, so that any template and any conversation come to an end.
#pragma once

#include "runtime-lite/generation/chat_filters.h"
#include "runtime-lite/generation/chat_input.h"
#include "runtime-lite/generation/chat_loops.h"

namespace sinter::generation {

class ChatMachine {
public:
  ChatMachine(const ChatProgram &program, const ChatInput &input, void *scratch, size_t scratchBytes, char *text,
              size_t capacity)
      : program(program), input(input), memory(scratch, scratchBytes), text(text), capacity(capacity) {}

  /// How many bytes the text has; those that fit are written. Or a ChatStatus; the text is then what it says about it.
  int64_t run() {
    stack = memory.values(stackSize);
    if (stack && program.slots < stackSize) {
      for (uint32_t i = 0; i < program.contextCount; ++i)
        stack[program.context[2 * i + 1]] = inputValue(input, string(program.context[2 * i]), memory);
      top = program.slots;
      while (memory.isGood() && step()) {
      }
    }
    if (memory.isGood())
      return int64_t(printed);
    size_t size = memory.message.size;
    if (capacity) {
      size = size < capacity ? size : capacity - 1;
      memcpy(text, memory.message.data, size);
      text[size] = 0;
    }
    return memory.status;
  }

private:
  static constexpr uint32_t stackSize = 2048, mostCalls = 48;
  struct Frame {
    uint32_t returnTo, base, given;
    size_t captured;
  };

  ChatText string(uint32_t i) const {
    const void *bytes = program.bytes + program.starts[i];
    return {static_cast<const char *>(bytes), program.starts[i + 1] - program.starts[i]};
  }
  void push(const ChatValue &value) {
    if (top < stackSize)
      stack[top++] = value;
    else
      memory.fail(ChatTooLong, chatText("calls are nested too deeply"));
  }
  ChatValue pop() { return stack[--top]; }
  /// `count` values become one.
  void replace(uint32_t count, const ChatValue &by) {
    top -= count;
    push(by);
  }
  uint32_t word() { return program.code[at++]; }

  bool print(ChatText what) {
    if (captures)
      return memory.capture(what);
    size_t room = printed < capacity ? capacity - printed : 0;
    if (what.size && room)
      memcpy(text + printed, what.data, what.size < room ? what.size : room);
    printed += what.size;
    if (printed > chatMostBytes)
      return memory.fail(ChatTooLong, chatText("the text becomes too long"));
    return memory.work(what.size);
  }

  bool step() {
    if (!memory.work(0))
      return false;
    uint32_t code = word(), n = code >> 8;
    ChatOp op = ChatOp(code & 0xff);
    switch (op) {
    case ChatOp::End:
      return false;
    case ChatOp::Text:
      return print(string(n));
    case ChatOp::Print:
      return printValue(pop(), memory, [this](ChatText what) { return print(what); });
    case ChatOp::String:
      push(chatString(string(n)));
      break;
    case ChatOp::Number:
      push(chatInteger(program.numbers[n]));
      break;
    case ChatOp::Constant:
      push(chatConstant(ChatKind(n & 0xff), n >> 8));
      break;
    case ChatOp::Load:
      push(stack[frame().base + n]);
      break;
    case ChatOp::LoadOuter:
      push(stack[n]);
      break;
    case ChatOp::Store:
      stack[frame().base + n] = pop();
      break;
    case ChatOp::Jump:
      at = n;
      break;
    case ChatOp::JumpFalse:
      if (!pop().isTrue())
        at = n;
      break;
    case ChatOp::JumpFalseKeep:
    case ChatOp::JumpTrueKeep:
      if (stack[top - 1].isTrue() == (op == ChatOp::JumpTrueKeep))
        at = n;
      else
        --top;
      break;
    case ChatOp::JumpGiven: {
      uint32_t slot = word();
      if (!stack[frame().base + slot].is(ChatKind::Missing))
        at = n;
      break;
    }
    case ChatOp::LoopBegin:
    case ChatOp::LoopNext:
    case ChatOp::LoopKeep:
    case ChatOp::LoopKept:
    case ChatOp::LoopEnd:
    case ChatOp::LoopValue:
      stepLoop(op, n);
      break;
    case ChatOp::Call:
    case ChatOp::Return:
    case ChatOp::CaptureBegin:
    case ChatOp::CaptureEnd:
      stepCall(op, n);
      break;
    default:
      stepValue(op, n);
    }
    return memory.isGood();
  }

  void stepLoop(ChatOp op, uint32_t n) {
    switch (op) {
    case ChatOp::LoopBegin:
      loops.begin(pop(), memory);
      break;
    case ChatOp::LoopNext: {
      ChatLoop &loop = loops.inner();
      if (loop.next < loop.count)
        push(loop.items[loop.next++]);
      else
        at = n;
      break;
    }
    case ChatOp::LoopKeep:
      if (pop().isTrue())
        loops.keep(memory);
      break;
    case ChatOp::LoopKept: {
      ChatLoop loop = loops.end();
      push(chatItems(ChatKind::List, loop.kept, loop.keptCount));
      break;
    }
    case ChatOp::LoopEnd:
      if (loops.end().count)
        at = n;
      break;
    default:
      push(loops.inner().value(ChatLoopValue(n)));
    }
  }

  Frame &frame() { return frames[calls]; }
  void stepCall(ChatOp op, uint32_t n) {
    switch (op) {
    case ChatOp::Call: {
      const ChatMacro &macro = program.macros[n];
      uint32_t given = word();
      if (calls + 1 == mostCalls || top + macro.slots > stackSize) {
        memory.fail(ChatTooLong, chatText("calls are nested too deeply"));
        return;
      }
      frames[++calls] = {at, top - given, given, memory.captured()};
      for (uint32_t i = given; i < macro.slots; ++i)
        push(chatConstant(i < macro.parameters ? ChatKind::Missing : ChatKind::Undefined));
      ++captures;
      at = macro.entry;
      break;
    }
    case ChatOp::Return: {
      Frame ended = frames[calls--];
      --captures;
      top = ended.base;
      at = ended.returnTo;
      push(memory.endCapture(ended.captured));
      break;
    }
    case ChatOp::CaptureBegin:
      push(chatInteger(int64_t(memory.captured())));
      ++captures;
      break;
    default:
      --captures;
      replace(1, memory.endCapture(size_t(stack[top - 1].integer)));
    }
  }

  ChatValue unary(ChatUnary operation, const ChatValue &value) {
    if (operation == ChatUnary::Not)
      return chatBoolean(!value.isTrue());
    bool isNegative = operation == ChatUnary::Negate;
    return arithmetic(isNegative ? ChatBinary::Subtract : ChatBinary::Add, chatInteger(0), value, memory);
  }
  ChatValue collect(ChatKind kind, uint32_t count) {
    bool isDictionary = kind == ChatKind::Dictionary;
    uint32_t width = isDictionary ? 2 : 1, size = 0;
    ChatValue *items = memory.values(count * width);
    const ChatValue *from = stack + top - count * width;
    for (uint32_t i = 0; items && i < count; ++i) {
      uint32_t to = size;
      for (uint32_t j = 0; isDictionary && j < size && to == size; ++j)
        if (areEqual(items[2 * j], from[2 * i], memory))
          to = j;
      for (uint32_t j = 0; j < width; ++j)
        items[width * to + j] = from[width * i + j];
      size += to == size;
    }
    return chatItems(kind, items, size);
  }
  ChatValue makeNamespace(uint32_t count, uint32_t most) {
    ChatValue value = chatConstant(ChatKind::Namespace), *header = memory.values(2 * most + 1);
    if (!header)
      return ChatValue();
    static_assert(sizeof(ChatMembers) <= sizeof(ChatValue), "a header takes the place of a value");
    void *place = header;
    value.members = static_cast<ChatMembers *>(place);
    ChatMembers members = {count, most, header + 1};
    memcpy(place, &members, sizeof(members));
    for (uint32_t i = 0; i < 2 * count; ++i)
      header[1 + i] = stack[top - 2 * count + i];
    return value;
  }
  ChatValue range(const ChatValue *values, uint32_t count) {
    ChatArguments given(values, count, memory);
    int64_t from = count > 1 ? given.integer(0, 0) : 0, to = given.integer(count > 1, 0), by = given.integer(2, 1);
    constexpr int64_t most = 100000; // Jinja's sandbox has this limit too
    if (from > INT32_MAX || from < INT32_MIN || to > INT32_MAX || to < INT32_MIN || by > INT32_MAX || by < INT32_MIN ||
        !by) {
      memory.fail(ChatFailed, chatText("range of such numbers"));
      return ChatValue();
    }
    int64_t size = by > 0 ? (to - from + by - 1) / by : (from - to - by - 1) / -by;
    if (size > most)
      memory.fail(ChatTooLong, chatText("a range is too long"));
    size = size < 0 || size > most ? 0 : size;
    ChatValue *items = memory.values(size_t(size));
    for (int64_t i = 0; items && i < size; ++i)
      items[i] = chatInteger(from + i * by);
    return chatItems(ChatKind::List, items, items ? size_t(size) : 0);
  }
  ChatValue select(ChatTest test, uint32_t bits) {
    uint32_t behind = ((bits & SelectAttribute) != 0) + ((bits & SelectArgument) != 0);
    const ChatValue *values = stack + top - behind - 1;
    ChatValue list = listOf(values[0], memory);
    ChatValue *items = memory.values(list.size);
    size_t size = 0;
    for (uint32_t i = 0; items && i < list.size && memory.work(0); ++i) {
      ChatValue tested[2] = {list.items[i], values[behind]};
      if (bits & SelectAttribute)
        tested[0] = itemOf(list.items[i], values[1], memory);
      if (passesTest(test, tested, memory) != ((bits & SelectRejects) != 0))
        items[size++] = list.items[i];
    }
    top -= behind;
    return chatItems(ChatKind::List, items, size);
  }
  template <class Function>
  ChatValue map(const ChatValue &over, Function function) {
    ChatValue list = listOf(over, memory);
    ChatValue *items = memory.values(list.size);
    for (uint32_t i = 0; items && i < list.size && memory.work(0); ++i)
      items[i] = function(list.items[i]);
    return chatItems(ChatKind::List, items, items ? list.size : 0);
  }
  void unpack(uint32_t count) {
    ChatValue list = listOf(pop(), memory);
    if (list.size != count) {
      memory.fail(ChatFailed, chatText("a loop has more or fewer variables than values"));
      return;
    }
    while (count)
      push(list.items[--count]);
  }

  void stepValue(ChatOp op, uint32_t n) {
    const ChatValue *const last = stack + top - 1;
    switch (op) {
    case ChatOp::Member:
      return replace(1, memberOf(last[0], string(n), memory));
    case ChatOp::StoreMember:
      setMember(last[-1], string(n), last[0], memory);
      top -= 2;
      return;
    case ChatOp::Item:
      return replace(2, itemOf(last[-1], last[0], memory));
    case ChatOp::Slice:
      return replace(4, sliceOf(last[-3], last[-2], last[-1], last[0], memory));
    case ChatOp::List:
      return replace(n, collect(ChatKind::List, n));
    case ChatOp::Dictionary:
      return replace(2 * n, collect(ChatKind::Dictionary, n));
    case ChatOp::Namespace:
      return replace(2 * n, makeNamespace(n, word()));
    case ChatOp::Unary:
      return replace(1, unary(ChatUnary(n), last[0]));
    case ChatOp::Binary:
      return replace(2, binary(ChatBinary(n), last[-1], last[0], memory));
    case ChatOp::Unpack:
      return unpack(n);
    case ChatOp::Raise:
      memory.fail(ChatRaised, textOf(last[0], memory).asText());
      return;
    case ChatOp::DateText:
      if (!last[0].isText())
        memory.fail(ChatFailed, chatText("strftime_now of what is no text"));
      else
        replace(1, dateText(last[0].asText(), input.date, memory));
      return;
    case ChatOp::Range:
      return replace(n, range(stack + top - n, n));
    case ChatOp::Select:
      return replace(1, select(ChatTest(n), word()));
    case ChatOp::MapFilter:
      return replace(
          1, map(last[0], [&](const ChatValue &value) { return applyFilter(ChatFilter(n), &value, 1, memory); }));
    case ChatOp::MapMember: {
      uint32_t hasDefault = word();
      return replace(1 + hasDefault, map(last[-int64_t(hasDefault)], [&](const ChatValue &value) {
                       ChatValue member = itemOf(value, chatString(string(n)), memory);
                       return hasDefault && member.is(ChatKind::Undefined) ? last[0] : member;
                     }));
    }
    default:
      break;
    }
    uint32_t count = word() + 1;
    const ChatValue *values = stack + top - count;
    if (op == ChatOp::Filter)
      replace(count, applyFilter(ChatFilter(n), values, count, memory));
    else if (op == ChatOp::Test)
      replace(count, chatBoolean(passesTest(ChatTest(n), values, memory)));
    else
      replace(count, callMethod(ChatMethod(n), values, count, memory));
  }

  const ChatProgram &program;
  const ChatInput &input;
  ChatMemory memory;
  ChatLoops loops;
  Frame frames[mostCalls] = {};
  ChatValue *stack = nullptr;
  char *text;
  size_t capacity, printed = 0;
  uint32_t top = 0, at = 0, calls = 0, captures = 0;
};

inline int64_t renderChat(const ChatProgram &program, const ChatInput &input, void *scratch, size_t scratchBytes,
                          char *text, size_t capacity) {
  return ChatMachine(program, input, scratch, scratchBytes, text, capacity).run();
}

} // namespace sinter::generation
