// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions, from what binds least to what binds most. `~` binds more than `+`: so it is in Jinja.
#include "chat_template/parser.h"

using namespace llvm;

namespace sinter::chat_template {

bool ExpressionParser::Depth::isTooDeep() const {
  if (parser.depth <= deepest)
    return false;
  parser.complaint.tooLarge(parser.now().line, "blocks and expressions are nested deeper than " + Twine(deepest));
  parser.stop();
  return true;
}

std::string ExpressionParser::nowText() const {
  switch (now().kind) {
  case Token::End:
    return "the end of the template";
  case Token::OutputEnd:
    return "'}}'";
  case Token::BlockEnd:
    return "'%}'";
  case Token::String:
    return "a string";
  default:
    return "'" + now().text + "'";
  }
}

NodePtr ExpressionParser::make(Node::Kind kind, const Twine &text) const {
  return std::make_unique<Node>(Node{kind, now().line, text.str(), 0, {}, {}});
}
NodePtr ExpressionParser::fail(const Twine &what) {
  complaint.invalid(now().line, what);
  stop();
  return make(Node::Undefined);
}
NodePtr ExpressionParser::refuseSize(const Twine &what) {
  complaint.tooLarge(now().line, what);
  stop();
  return make(Node::Undefined);
}
NodePtr ExpressionParser::refuse(const Twine &what) {
  complaint.unsupported(now().line, what);
  stop();
  return make(Node::Undefined);
}
bool ExpressionParser::takeOperator(StringRef text) {
  bool isIt = isOperator(text);
  if (isIt)
    next();
  return isIt;
}
bool ExpressionParser::takeName(StringRef text) {
  bool isIt = isName(text);
  if (isIt)
    next();
  return isIt;
}
void ExpressionParser::wantOperator(StringRef text) {
  if (!takeOperator(text))
    fail("'" + text + "' is expected, not " + nowText());
}
std::string ExpressionParser::wantName(const Twine &what) {
  std::string name = now().text;
  if (now().kind != Token::Name)
    fail(what + " is expected, not " + nowText());
  next();
  return name;
}

NodePtr ExpressionParser::around(Node::Kind kind, const Twine &text, NodePtr inner) {
  NodePtr node = make(kind, text);
  node->children.push_back(std::move(inner));
  if (++levels > mostLevels)
    refuseSize("a statement has more than " + Twine(mostLevels) + " operators");
  return node;
}
NodePtr ExpressionParser::binary(StringRef text, NodePtr left, NodePtr right) {
  NodePtr node = around(Node::Binary, text, std::move(left));
  node->children.push_back(std::move(right));
  return node;
}

NodePtr ExpressionParser::expressions() {
  NodePtr node = expression();
  if (!isOperator(","))
    return node;
  NodePtr list = make(Node::List);
  list->children.push_back(std::move(node));
  while (takeOperator(",") && now().kind != Token::BlockEnd && now().kind != Token::OutputEnd && !isOperator(")"))
    list->children.push_back(expression());
  return list;
}

NodePtr ExpressionParser::expression(bool canChoose) {
  Depth guard(*this);
  if (guard.isTooDeep())
    return make(Node::Undefined);
  NodePtr node = either();
  while (canChoose && takeName("if")) {
    NodePtr choice = around(Node::Choice, "", std::move(node));
    choice->children.push_back(either());
    choice->children.push_back(takeName("else") ? expression() : make(Node::Undefined));
    node = std::move(choice);
  }
  return node;
}

NodePtr ExpressionParser::either() {
  NodePtr node = both();
  while (takeName("or"))
    node = binary("or", std::move(node), both());
  return node;
}
NodePtr ExpressionParser::both() {
  NodePtr node = negation();
  while (takeName("and"))
    node = binary("and", std::move(node), negation());
  return node;
}
NodePtr ExpressionParser::negation() {
  if (!isName("not"))
    return comparison();
  Depth guard(*this);
  if (guard.isTooDeep())
    return make(Node::Undefined);
  NodePtr node = make(Node::Unary, "not");
  next();
  node->children.push_back(negation());
  return node;
}
NodePtr ExpressionParser::comparison() {
  NodePtr node = make(Node::Comparison);
  node->children.push_back(sum());
  for (;;) {
    std::string text;
    for (StringRef candidate : {"==", "!=", "<", "<=", ">", ">="})
      if (isOperator(candidate))
        text = candidate;
    if (isName("in"))
      text = "in";
    else if (isName("not") && behind().is(Token::Name, "in"))
      text = "not in";
    if (text.empty())
      break;
    next();
    if (text == "not in")
      next();
    node->names.push_back(text);
    node->children.push_back(sum());
  }
  return node->names.empty() ? std::move(node->children[0]) : std::move(node);
}
NodePtr ExpressionParser::sum() {
  NodePtr node = concatenation();
  while (isOperator("+") || isOperator("-")) {
    std::string text = now().text;
    next();
    node = binary(text, std::move(node), concatenation());
  }
  return node;
}
NodePtr ExpressionParser::concatenation() {
  NodePtr node = product();
  while (takeOperator("~"))
    node = binary("~", std::move(node), product());
  return node;
}
NodePtr ExpressionParser::product() {
  NodePtr node = unary(true);
  while (isOperator("*") || isOperator("//") || isOperator("%") || isOperator("/") || isOperator("**")) {
    std::string text = now().text;
    if (text == "/" || text == "**")
      return refuse("the operator " + text);
    next();
    node = binary(text, std::move(node), unary(true));
  }
  return node;
}
NodePtr ExpressionParser::unary(bool canFilter) {
  Depth guard(*this);
  if (guard.isTooDeep())
    return make(Node::Undefined);
  NodePtr node;
  if (isOperator("-") || isOperator("+")) {
    node = make(Node::Unary, now().text);
    next();
    node->children.push_back(unary(false));
  } else {
    node = primary();
  }
  node = postfix(std::move(node));
  return canFilter ? filters(std::move(node)) : std::move(node);
}

} // namespace sinter::chat_template
