// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chat_template/generator.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace sinter::chat_template {
using generation::ChatBinary;
using generation::ChatKind;
using generation::ChatUnary;

void Generator::expression(const Node &node) {
  if (complaint.hasSpoken())
    return;
  switch (node.kind) {
  case Node::String:
    emit(Op::String, stringNumber(node.text));
    return;
  case Node::Integer:
    emit(Op::Number, to.numbers.size());
    to.numbers.push_back(node.number);
    return;
  case Node::Boolean:
    return constant(ChatKind::Boolean, node.number);
  case Node::None:
    return constant(ChatKind::None);
  case Node::Undefined:
    return constant(ChatKind::Undefined);
  case Node::Name:
    return load(node.text, node.line);
  case Node::Attribute:
    return attribute(node);
  case Node::Item:
    expression(*node.child(0));
    expression(*node.child(1));
    emit(Op::Item);
    return;
  case Node::Slice:
    return slice(node);
  case Node::Call:
    return call(node);
  case Node::Filter:
    return filter(node);
  case Node::Test:
    return test(node);
  case Node::Unary:
    expression(*node.child(0));
    emitNumber(Op::Unary, node.text == "not" ? ChatUnary::Not : node.text == "-" ? ChatUnary::Negate : ChatUnary::Plus);
    return;
  case Node::Binary:
    return binary(node);
  case Node::Comparison:
    return comparison(node);
  case Node::Choice:
    return choice(node);
  default:
    break;
  }
  for (const NodePtr &child : node.children)
    expression(*child);
  if (node.kind == Node::List)
    emit(Op::List, node.children.size());
  else
    emit(Op::Dictionary, node.children.size() / 2);
}

void Generator::binary(const Node &node) {
  expression(*node.child(0));
  if (node.text == "and" || node.text == "or") {
    size_t jump = emit(node.text == "and" ? Op::JumpFalseKeep : Op::JumpTrueKeep);
    expression(*node.child(1));
    return landHere(jump);
  }
  expression(*node.child(1));
  emitNumber(Op::Binary, StringSwitch<ChatBinary>(node.text)
                             .Case("+", ChatBinary::Add)
                             .Case("-", ChatBinary::Subtract)
                             .Case("*", ChatBinary::Multiply)
                             .Case("//", ChatBinary::Divide)
                             .Case("%", ChatBinary::Remainder)
                             .Default(ChatBinary::Join));
}

void Generator::comparison(const Node &node) {
  if (node.names.size() > 1)
    return complaint.unsupported(node.line, "comparisons in a row; join them by 'and'");
  expression(*node.child(0));
  expression(*node.child(1));
  emitNumber(Op::Binary, StringSwitch<ChatBinary>(node.names[0])
                             .Case("==", ChatBinary::Equal)
                             .Case("!=", ChatBinary::NotEqual)
                             .Case("<", ChatBinary::Less)
                             .Case("<=", ChatBinary::LessEqual)
                             .Case(">", ChatBinary::Greater)
                             .Case(">=", ChatBinary::GreaterEqual)
                             .Case("in", ChatBinary::In)
                             .Default(ChatBinary::NotIn));
}

void Generator::choice(const Node &node) {
  expression(*node.child(1));
  size_t otherwise = emit(Op::JumpFalse);
  expression(*node.child(0));
  size_t end = emit(Op::Jump);
  landHere(otherwise);
  expression(*node.child(2));
  landHere(end);
}

void Generator::slice(const Node &node) {
  expression(*node.child(0));
  for (size_t i = 1; i < 4; ++i)
    if (const Node *bound = node.child(i))
      expression(*bound);
    else
      constant(ChatKind::None);
  emit(Op::Slice);
}

void Generator::attribute(const Node &node) {
  const Node &of = *node.child(0);
  if (of.kind == Node::Name && of.text == "loop" && !findName("loop")) {
    const Callable *value = findLoopValue(node.text);
    if (!hasLoop)
      return complaint.unsupported(node.line, "'loop' outside of a loop or in its condition");
    if (!value)
      return complaint.unsupported(node.line, "'loop." + node.text + "'");
    emit(Op::LoopValue, value->number);
    return;
  }
  // x.items is the method even where x has such a key.
  if (findMethod(node.text) || StringSwitch<bool>(node.text)
                                   .Cases("copy", "clear", "pop", "popitem", "update", true)
                                   .Cases("setdefault", "fromkeys", "index", "format", "title", true)
                                   .Default(false))
    return complaint.unsupported(node.line, "the method '" + node.text + "' without a call; for a key write ['" +
                                                node.text + "']");
  if (StringRef(node.text).starts_with("__"))
    return complaint.unsupported(node.line, "the attribute '" + node.text + "'");
  expression(of);
  emit(Op::Member, stringNumber(node.text));
}

} // namespace sinter::chat_template
