// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chat template as `sinter` compiles it: code for a machine with a stack of values. Each word has an operation in its
// low byte and an operand above it; what an operation needs besides is in further words. Jumps go to places in the
// code.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sinter::generation {

enum class ChatOp : uint32_t {
  End,
  Text,        ///< prints string n
  Print,       ///< prints the top
  String,      ///< pushes string n
  Number,      ///< pushes number n
  Constant,    ///< pushes what has kind n and is 0; bit 8: is 1
  Load,        ///< pushes slot n of the frame
  LoadOuter,   ///< of the outermost frame
  Store,       ///< pops to slot n of the frame
  StoreMember, ///< pops to member n of the namespace that is under it, which it pops too
  Member,      ///< x -> x.n
  Item,        ///< x, i -> x[i]
  Slice,       ///< x, from, to, step -> part
  List,        ///< n values -> list
  Dictionary,  ///< 2 n values -> dictionary
  Namespace,   ///< 2 n values -> namespace; the next word: how many members it may have
  Unary,       ///< n is a ChatUnary
  Binary,      ///< n is a ChatBinary
  Jump,
  JumpFalse,     ///< pops
  JumpFalseKeep, ///< pops unless it jumps
  JumpTrueKeep,
  JumpGiven, ///< jumps if slot (next word) was given by the caller
  LoopBegin, ///< pops what is gone through
  LoopNext,  ///< pushes the next, or jumps
  LoopKeep,  ///< pops; if it counts as true, the loop's value is kept
  LoopKept,  ///< ends the loop, pushes the list of what was kept
  LoopEnd,   ///< ends the loop; jumps if it went through anything
  LoopValue, ///< pushes what of the loop: n is a ChatLoopValue
  Unpack,    ///< a list of n -> its values, the first on top
  Filter,    ///< n is a ChatFilter; the next word: how many arguments are above the value
  Test,      ///< n is a ChatTest; the next word: arguments
  Select, ///< list, attribute (or not), argument (or not) -> list. n is a ChatTest; the next word has ChatSelect's bits
  MapMember, ///< list, default or nothing -> list of the members n; the next word: whether there is a default
  MapFilter, ///< list -> list by the ChatFilter n
  Method,    ///< n is a ChatMethod; the next word: arguments
  Call,      ///< macro n; the next word: arguments on the stack
  Return,
  CaptureBegin, ///< what is printed becomes a value
  CaptureEnd,   ///< pushes it
  Raise,        ///< pops the text and ends
  DateText,     ///< format -> text
  Range,        ///< n arguments -> list
};

enum class ChatUnary : uint32_t { Negate, Plus, Not };
enum class ChatBinary : uint32_t {
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  Join,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  In,
  NotIn
};
enum class ChatLoopValue : uint32_t { Index, Index0, First, Last, Length, Left, Left0, Previous, Next };
enum class ChatFilter : uint32_t {
  Trim,
  ToJson,
  Length,
  Upper,
  Lower,
  Capitalize,
  Default,
  Join,
  Items,
  List,
  First,
  Last,
  Replace,
  String,
  Int,
  Reverse
};
enum class ChatTest : uint32_t {
  True, ///< counts as true: what `select` without a test asks
  Defined,
  Undefined,
  None,
  String,
  Mapping,
  Iterable,
  Sequence,
  Number,
  Integer,
  Boolean,
  IsTrue,
  IsFalse,
  Even,
  Odd,
  DivisibleBy,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  In
};
enum ChatSelect : uint32_t { SelectAttribute = 1, SelectArgument = 2, SelectRejects = 4 };
enum class ChatMethod : uint32_t {
  Strip,
  LeftStrip,
  RightStrip,
  Split,
  StartsWith,
  EndsWith,
  Upper,
  Lower,
  Capitalize,
  Replace,
  Find,
  Count,
  Join,
  Get,
  Items,
  Keys,
  Values
};

struct ChatMacro {
  uint32_t entry, parameters, slots;
};

struct ChatProgram {
  const uint32_t *code;
  const uint32_t *starts; ///< of strings in `bytes`, one more than there are
  const uint8_t *bytes;
  const int64_t *numbers;
  const ChatMacro *macros;
  const uint32_t *context; ///< pairs of a string and a slot: what begins with what the caller gives by that name
  uint32_t contextCount;
  uint32_t slots; ///< of the outermost frame
};

} // namespace sinter::generation
