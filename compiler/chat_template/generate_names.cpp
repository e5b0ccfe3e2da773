// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chat_template/generator.h"

using namespace llvm;

namespace sinter::chat_template {

uint32_t Generator::stringNumber(StringRef text) {
  auto [at, isNew] = strings.try_emplace(text, static_cast<uint32_t>(strings.size()));
  if (isNew) {
    to.bytes.insert(to.bytes.end(), text.bytes_begin(), text.bytes_end());
    to.starts.push_back(static_cast<uint32_t>(to.bytes.size()));
  }
  return at->second;
}

std::optional<std::pair<uint32_t, bool>> Generator::findName(StringRef name) const {
  for (const Scope *in = scope; in; in = in->parent)
    if (auto at = in->slots.find(name.str()); at != in->slots.end())
      return std::pair(at->second, in == &outermost);
  return std::nullopt;
}

void Generator::load(StringRef name, unsigned line) {
  auto found = findName(name);
  if (!found) {
    if (macros.count(name) || name == "loop")
      return complaint.unsupported(line, "'" + name + "' as a value");
    if (isFunction(name)) // that it is defined can be asked
      return constant(generation::ChatKind::Method);
    for (StringRef other : {"dict", "lipsum", "cycler", "joiner", "caller", "varargs", "kwargs", "self", "super"})
      if (name == other)
        return complaint.unsupported(line, "'" + name + "'");
    uint32_t slot = isMacro ? outerSlots++ : slots++;
    outermost.slots[name.str()] = slot;
    to.context.push_back(stringNumber(name));
    to.context.push_back(slot);
    found = std::pair(slot, true);
  }
  emit(found->second ? Op::LoadOuter : Op::Load, found->first);
}

void Generator::storeName(StringRef name, unsigned line) {
  if (name == "loop" || macros.count(name) || isFunction(name))
    return complaint.unsupported(line, "a variable '" + name + "', which is the name of something else");
  if (scope == &outermost && !outermost.slots.count(name.str())) {
    // What is behind a condition may keep what the caller gave.
    outermost.slots[name.str()] = slots;
    to.context.push_back(stringNumber(name));
    to.context.push_back(slots++);
  }
  emit(Op::Store, scope->slots.at(name.str()));
}

void Generator::collectStores(const Node &node, StringSet<> &known, std::vector<std::string> &names) const {
  if ((node.kind == Node::Set || node.kind == Node::SetBlock) && node.text.empty() &&
      known.insert(node.names[0]).second)
    names.push_back(node.names[0]);
  if (node.kind == Node::Body || node.kind == Node::If)
    for (const NodePtr &child : node.children)
      if (child && (node.kind == Node::Body || child->kind == Node::Body))
        collectStores(*child, known, names);
}

void Generator::enter(Scope &inner, const Node &of, ArrayRef<std::string> targets) {
  StringSet<> known;
  std::vector<std::string> names;
  collectStores(of, known, names);
  std::map<std::string, uint32_t> declared;
  for (const std::string &name : targets)
    declared.try_emplace(name, slots++);
  for (const std::string &name : names)
    if (!declared.count(name)) {
      load(name, of.line);
      emit(Op::Store, slots);
      declared[name] = slots++;
    }
  inner.slots = std::move(declared);
  scope = &inner;
}

} // namespace sinter::chat_template
