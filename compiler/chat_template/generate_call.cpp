// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls, filters and tests. Which is meant and where each argument goes is settled here.
#include "chat_template/generator.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace sinter::chat_template {
using generation::ChatKind;
using generation::ChatTest;

size_t Generator::arguments(const Node &node, ArrayRef<std::string> parameters, size_t required, StringRef what) {
  std::vector<const Node *> given(parameters.size(), nullptr);
  size_t count = 0;
  for (auto [i, name] : enumerate(node.names)) {
    size_t place = name.empty() ? i : static_cast<size_t>(find(parameters, name) - parameters.begin());
    if (place >= parameters.size()) {
      complaint.unsupported(node.line, name.empty() ? "more arguments of " + what + " than " + Twine(parameters.size())
                                                    : "the argument '" + name + "' of " + what);
      return 0;
    }
    if (given[place])
      complaint.invalid(node.line, "an argument of " + what + " is given twice");
    given[place] = node.child(i + 1);
    count = std::max(count, place + 1);
  }
  for (size_t i = 0; i < required; ++i)
    if (!given[i])
      complaint.invalid(node.line, what + " has too few arguments");
  for (size_t i = 0; i < count; ++i)
    if (given[i])
      expression(*given[i]);
    else
      constant(ChatKind::Missing);
  return count;
}

size_t Generator::arguments(const Node &node, const Callable &callable, StringRef what) {
  std::vector<std::string> parameters;
  for (unsigned i = 0; i < callable.most; ++i)
    parameters.push_back(callable.parameters[i].str());
  return arguments(node, parameters, callable.required, what);
}

void Generator::call(const Node &node) {
  const Node &callee = *node.child(0);
  if (callee.kind == Node::Name && !findName(callee.text)) {
    if (auto found = macros.find(callee.text); found != macros.end())
      return callMacro(node, found->second);
    return callFunction(node);
  }
  if (callee.kind != Node::Attribute)
    return complaint.unsupported(node.line, "a call of a value");
  const Callable *method = findMethod(callee.text);
  if (!method)
    return complaint.unsupported(node.line, "the method '" + callee.text + "'");
  if (callee.child(0)->kind == Node::Name && callee.child(0)->text == "loop" && !findName("loop"))
    return complaint.unsupported(node.line, "'loop." + callee.text + "'");
  expression(*callee.child(0));
  size_t count = arguments(node, *method, "'" + callee.text + "'");
  emit(Op::Method, method->number);
  emitWord(count);
}

void Generator::callMacro(const Node &node, uint32_t number) {
  const Node &macro = *macroNodes[number];
  if (!isMacro && number >= macrosSeen)
    return complaint.invalid(node.line, "the macro '" + macro.text + "' is called before it is defined");
  size_t count = arguments(node, macro.names, 0, "the macro '" + macro.text + "'");
  emit(Op::Call, number);
  emitWord(count);
}

void Generator::callFunction(const Node &node) {
  StringRef name = node.child(0)->text;
  if (name == "namespace")
    return callNamespace(node);
  if (name == "range") {
    const std::string parameters[] = {"", "", ""};
    size_t count = arguments(node, parameters, 1, "'range'");
    emit(Op::Range, count);
    return;
  }
  if (name != "raise_exception" && name != "strftime_now")
    return complaint.unsupported(node.line, "the function '" + name + "'");
  const std::string parameters[] = {name == "raise_exception" ? "message" : "format"};
  arguments(node, parameters, 1, name);
  emit(name == "raise_exception" ? Op::Raise : Op::DateText);
}

void Generator::callNamespace(const Node &node) {
  StringSet<> known;
  size_t capacity = members.size();
  for (auto [i, name] : enumerate(node.names)) {
    if (name.empty())
      return complaint.unsupported(node.line, "an argument of 'namespace' without a name");
    emit(Op::String, stringNumber(name));
    expression(*node.child(i + 1));
    if (!known.insert(name).second)
      return complaint.invalid(node.line, "an argument of 'namespace' is given twice");
    capacity += !members.count(name);
  }
  emit(Op::Namespace, node.names.size());
  emitWord(capacity);
}

void Generator::filter(const Node &node) {
  StringRef name = node.text;
  if (name == "selectattr" || name == "rejectattr" || name == "select" || name == "reject")
    return selectItems(node);
  if (name == "map")
    return mapItems(node);
  expression(*node.child(0));
  if (name == "safe") // nothing is escaped
    return;
  const Callable *filter = findFilter(name);
  if (!filter)
    return complaint.unsupported(node.line, "the filter '" + name + "'");
  // Without a name the first argument of transformers' tojson is not the indentation.
  if (name == "tojson" && !node.names.empty() && node.names[0].empty())
    return complaint.unsupported(node.line, "an argument of 'tojson' without a name");
  size_t count = arguments(node, *filter, ("'" + name + "'").str());
  emit(Op::Filter, filter->number);
  emitWord(count);
}

void Generator::selectItems(const Node &node) {
  StringRef name = node.text;
  bool isAttribute = name.ends_with("attr"), isReject = name.starts_with("reject");
  size_t count = node.names.size(), at = 0;
  if (any_of(node.names, [](const std::string &keyword) { return !keyword.empty(); }))
    return complaint.unsupported(node.line, "an argument of '" + name + "' with a name");
  expression(*node.child(0));
  if (isAttribute) {
    if (!count)
      return complaint.invalid(node.line, "'" + name + "' without an attribute");
    const Node &attribute = *node.child(++at);
    if (attribute.kind != Node::String || StringRef(attribute.text).contains('.'))
      return complaint.unsupported(node.line, "an attribute of '" + name + "' that is no plain string");
    expression(attribute);
  }
  ChatTest test = ChatTest::True;
  bool hasArgument = false;
  if (at < count) {
    const Node &testName = *node.child(++at);
    const Callable *found = testName.kind == Node::String ? findTest(testName.text) : nullptr;
    if (!found)
      return complaint.unsupported(node.line, "a test of '" + name + "'");
    test = static_cast<ChatTest>(found->number);
    hasArgument = found->required;
    if (count - at != found->required)
      return complaint.invalid(node.line, "the test '" + testName.text + "' has a wrong number of arguments");
    if (hasArgument)
      expression(*node.child(++at));
  }
  emitNumber(Op::Select, test);
  emitWord((isAttribute ? generation::SelectAttribute : 0) | (hasArgument ? generation::SelectArgument : 0) |
           (isReject ? generation::SelectRejects : 0));
}

void Generator::mapItems(const Node &node) {
  expression(*node.child(0));
  const Node *attribute = nullptr, *otherwise = nullptr, *name = nullptr;
  for (auto [i, keyword] : enumerate(node.names)) {
    const Node *&place = keyword == "attribute" ? attribute : keyword == "default" ? otherwise : name;
    if (place || (!keyword.empty() && &place == &name))
      return complaint.unsupported(node.line, "such arguments of 'map'");
    place = node.child(i + 1);
  }
  if (name) {
    const Callable *filter = name->kind == Node::String ? findFilter(name->text) : nullptr;
    if (!filter || filter->required || attribute || otherwise)
      return complaint.unsupported(node.line, "such a filter of 'map'");
    emit(Op::MapFilter, filter->number);
    return;
  }
  if (!attribute || attribute->kind != Node::String || StringRef(attribute->text).contains('.'))
    return complaint.unsupported(node.line, "an attribute of 'map' that is no plain string");
  if (otherwise)
    expression(*otherwise);
  emit(Op::MapMember, stringNumber(attribute->text));
  emitWord(otherwise != nullptr);
}

void Generator::test(const Node &node) {
  const Callable *test = findTest(node.text);
  if (!test)
    return complaint.unsupported(node.line, "the test '" + node.text + "'");
  expression(*node.child(0));
  size_t count = arguments(node, *test, "'" + node.text + "'");
  emit(Op::Test, test->number);
  emitWord(count);
}

} // namespace sinter::chat_template
