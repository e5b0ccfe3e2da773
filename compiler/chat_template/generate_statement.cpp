// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chat_template/generator.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace sinter::chat_template {
namespace {
void collectMembers(const Node &node, std::set<std::string> &members) {
  if ((node.kind == Node::Set || node.kind == Node::SetBlock) && !node.text.empty())
    members.insert(node.text);
  for (const NodePtr &child : node.children)
    if (child)
      collectMembers(*child, members);
}
} // namespace

void Generator::run(const Node &whole) {
  collectMembers(whole, members);
  for (const NodePtr &node : whole.children)
    if (node->kind == Node::Macro) {
      if (!macros.try_emplace(node->text, static_cast<uint32_t>(macroNodes.size())).second)
        complaint.unsupported(node->line, "a second macro '" + node->text + "'");
      macroNodes.push_back(node.get());
    }
  to.macros.resize(macroNodes.size());
  for (const NodePtr &node : whole.children)
    if (node->kind == Node::Macro)
      ++macrosSeen;
    else
      statement(*node);
  emit(Op::End);
  outerSlots = slots;
  for (auto [i, node] : enumerate(macroNodes))
    macro(*node, static_cast<uint32_t>(i));
  to.slots = outerSlots;
}

void Generator::body(const Node &node) {
  for (const NodePtr &child : node.children)
    statement(*child);
}

void Generator::statement(const Node &node) {
  if (to.code.size() > mostCode)
    complaint.tooLarge(node.line, "the template has too much code");
  if (complaint.hasSpoken())
    return;
  switch (node.kind) {
  case Node::Text:
    emit(Op::Text, stringNumber(node.text));
    return;
  case Node::Output:
    expression(*node.child(0));
    emit(Op::Print);
    return;
  case Node::If:
    return ifStatement(node);
  case Node::For:
    return forStatement(node);
  case Node::Set:
  case Node::SetBlock:
    return set(node);
  case Node::Macro:
    return complaint.unsupported(node.line, "a macro inside of another block");
  case Node::Generation:
    captured(*node.child(0));
    emit(Op::Print);
    return;
  case Node::Break:
  case Node::Continue:
    return leaveLoop(node);
  default:
    return body(node);
  }
}

void Generator::ifStatement(const Node &node) {
  std::vector<size_t> ends;
  size_t branches = node.children.size() / 2;
  for (size_t i = 0; i < branches; ++i) {
    expression(*node.child(2 * i));
    size_t otherwise = emit(Op::JumpFalse);
    body(*node.child(2 * i + 1));
    ends.push_back(emit(Op::Jump));
    landHere(otherwise);
  }
  if (const Node *otherwise = node.children.back().get())
    body(*otherwise);
  for (size_t end : ends)
    landHere(end);
}

void Generator::storeTargets(const Node &node) {
  if (node.names.size() > 1)
    emit(Op::Unpack, node.names.size());
  for (const std::string &name : node.names)
    storeName(name, node.line);
}

/// The items for which the loop's condition is true, as a list.
void Generator::chooseItems(const Node &node) {
  emit(Op::LoopBegin);
  Scope inner{scope, {}};
  Node empty{Node::Body, node.line, "", 0, {}, {}};
  size_t next = to.code.size(), end = emit(Op::LoopNext);
  enter(inner, empty, node.names);
  storeTargets(node);
  bool hadLoop = std::exchange(hasLoop, false);
  expression(*node.child(1));
  hasLoop = hadLoop;
  emit(Op::LoopKeep);
  emit(Op::Jump, next);
  landHere(end);
  emit(Op::LoopKept);
  scope = inner.parent;
}

void Generator::forStatement(const Node &node) {
  expression(*node.child(0));
  if (node.child(1))
    chooseItems(node);
  emit(Op::LoopBegin);
  size_t next = to.code.size(), end = emit(Op::LoopNext);
  Scope inner{scope, {}};
  std::vector<size_t> atEnd;
  {
    // The value is on the stack while names begin with what is outside; that needs no place on it at the end.
    enter(inner, *node.child(2), node.names);
    storeTargets(node);
    bool hadLoop = std::exchange(hasLoop, true);
    loops.push_back({{}, next, captures});
    body(*node.child(2));
    atEnd = std::move(loops.back().breaks);
    loops.pop_back();
    hasLoop = hadLoop;
  }
  scope = inner.parent;
  emit(Op::Jump, next);
  landHere(end);
  for (size_t jump : atEnd)
    landHere(jump);
  size_t behind = emit(Op::LoopEnd);
  if (const Node *otherwise = node.child(3)) {
    Scope other{scope, {}};
    enter(other, *otherwise);
    body(*otherwise);
    scope = other.parent;
  }
  landHere(behind);
}

void Generator::leaveLoop(const Node &node) {
  StringRef word = node.kind == Node::Break ? "break" : "continue";
  if (loops.empty())
    return complaint.invalid(node.line, "'" + word + "' outside of a loop");
  if (loops.back().captures != captures)
    return complaint.unsupported(node.line, "'" + word + "' inside of 'set' or 'generation'");
  size_t jump = emit(Op::Jump, node.kind == Node::Break ? 0 : loops.back().next);
  if (node.kind == Node::Break)
    loops.back().breaks.push_back(jump);
}

void Generator::set(const Node &node) {
  bool isMember = !node.text.empty();
  if (isMember)
    load(node.names[0], node.line);
  if (node.kind == Node::Set)
    expression(*node.child(0));
  else
    captured(*node.child(0));
  if (isMember)
    emit(Op::StoreMember, stringNumber(node.text));
  else
    storeName(node.names[0], node.line);
}

/// What a body prints, as a value.
void Generator::captured(const Node &of) {
  emit(Op::CaptureBegin);
  ++captures;
  Scope inner{scope, {}};
  enter(inner, of);
  body(of);
  scope = inner.parent;
  --captures;
  emit(Op::CaptureEnd);
}

void Generator::macro(const Node &node, uint32_t number) {
  Scope inner{&outermost, {}};
  isMacro = true;
  slots = 0;
  for (const std::string &name : node.names)
    inner.slots[name] = slots++;
  uint32_t parameters = slots;
  to.macros[number] = {static_cast<uint32_t>(to.code.size()), parameters, 0};
  scope = &inner;
  for (uint32_t i = 0; i < parameters; ++i) {
    size_t given = emit(Op::JumpGiven);
    emitWord(i);
    if (const Node *value = node.child(i + 1))
      expression(*value);
    else
      constant(generation::ChatKind::Undefined);
    emit(Op::Store, i);
    landHere(given);
  }
  StringSet<> known;
  std::vector<std::string> names;
  collectStores(*node.child(0), known, names);
  for (const std::string &name : names)
    if (!inner.slots.count(name)) {
      load(name, node.line);
      emit(Op::Store, slots);
      inner.slots[name] = slots++;
    }
  body(*node.child(0));
  emit(Op::Return);
  to.macros[number].slots = slots;
  scope = &outermost;
}

} // namespace sinter::chat_template
