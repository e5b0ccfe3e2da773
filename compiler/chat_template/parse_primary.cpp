// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What expressions are made of, and what follows it: attributes, subscripts, calls, filters, tests.
#include "chat_template/parser.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace sinter::chat_template {

NodePtr ExpressionParser::primary() {
  NodePtr node = make(Node::Undefined);
  switch (now().kind) {
  case Token::String:
    node->kind = Node::String;
    for (; now().kind == Token::String; next()) // those side by side are one
      node->text += now().text;
    return node;
  case Token::Integer:
    node->kind = Node::Integer;
    node->number = now().number;
    next();
    return node;
  case Token::Name: {
    StringRef name = now().text;
    bool isTrue = name == "true" || name == "True", isFalse = name == "false" || name == "False";
    node->kind = isTrue || isFalse ? Node::Boolean : name == "none" || name == "None" ? Node::None : Node::Name;
    node->number = isTrue;
    node->text = name;
    for (StringRef word : {"and", "or", "not", "if", "else", "elif", "in", "is", "for", "recursive"})
      if (name == word)
        return fail("a value is expected, not '" + name + "'");
    next();
    return node;
  }
  default:
    break;
  }
  if (takeOperator("(")) {
    if (takeOperator(")")) {
      node->kind = Node::List;
      return node;
    }
    node = expressions();
    wantOperator(")");
    return node;
  }
  if (takeOperator("[")) {
    node->kind = Node::List;
    while (!isOperator("]") && now().kind != Token::End) {
      node->children.push_back(expression());
      if (!takeOperator(","))
        break;
    }
    wantOperator("]");
    return node;
  }
  if (isOperator("{"))
    return dictionary();
  return fail("a value is expected, not " + nowText());
}

NodePtr ExpressionParser::dictionary() {
  NodePtr node = make(Node::Dictionary);
  next();
  while (!isOperator("}") && now().kind != Token::End) {
    node->children.push_back(expression());
    wantOperator(":");
    node->children.push_back(expression());
    if (!takeOperator(","))
      break;
  }
  wantOperator("}");
  return node;
}

NodePtr ExpressionParser::postfix(NodePtr node) {
  for (;;) {
    if (takeOperator(".")) {
      if (now().kind == Token::Integer)
        return refuse("a number behind a dot; [" + Twine(now().number) + "] is the same");
      node = around(Node::Attribute, now().text, std::move(node));
      wantName("a name behind '.'");
    } else if (takeOperator("[")) {
      node = subscript(std::move(node));
      wantOperator("]");
    } else if (isOperator("(")) {
      node = around(Node::Call, "", std::move(node));
      arguments(*node);
    } else {
      return node;
    }
  }
}

NodePtr ExpressionParser::subscript(NodePtr node) {
  NodePtr parts[3];
  size_t part = 0;
  while (!isOperator("]") && now().kind != Token::End) {
    if (takeOperator(":")) {
      if (++part == 3)
        return fail("a slice has three parts at most");
      continue;
    }
    if (parts[part])
      return fail("']' is expected, not " + nowText());
    parts[part] = expression();
  }
  if (!part && !parts[0])
    return fail("a subscript is empty");
  node = around(part ? Node::Slice : Node::Item, "", std::move(node));
  for (size_t i = 0; i < (part ? 3 : 1); ++i)
    node->children.push_back(std::move(parts[i]));
  return node;
}

void ExpressionParser::arguments(Node &to) {
  next();
  while (!isOperator(")") && now().kind != Token::End) {
    if (isOperator("*") || isOperator("**")) {
      refuse("arguments behind '*'");
      return;
    }
    std::string keyword;
    if (now().kind == Token::Name && behind().is(Token::Operator, "=")) {
      keyword = now().text;
      next();
      next();
    } else if (!to.names.empty() && !to.names.back().empty()) {
      fail("an argument without a name follows one with a name");
    }
    to.names.push_back(keyword);
    to.children.push_back(expression());
    if (!takeOperator(","))
      break;
  }
  wantOperator(")");
}

NodePtr ExpressionParser::filters(NodePtr node) {
  for (;;) {
    if (takeOperator("|")) {
      node = around(Node::Filter, now().text, std::move(node));
      wantName("a filter's name");
      if (isOperator("("))
        arguments(*node);
    } else if (isName("is")) {
      node = test(std::move(node));
    } else if (isOperator("(")) {
      node = around(Node::Call, "", std::move(node));
      arguments(*node);
    } else {
      return node;
    }
  }
}

NodePtr ExpressionParser::test(NodePtr node) {
  next();
  bool isNegated = takeName("not");
  node = around(Node::Test, now().text, std::move(node));
  wantName("a test's name");
  static constexpr StringLiteral behindTest[] = {"else", "or", "and", "is", "if", "not", "in"};
  bool isWord = now().kind == Token::Name && is_contained(behindTest, now().text);
  if (isOperator("(")) {
    arguments(*node);
  } else if (now().kind == Token::String || now().kind == Token::Integer || (now().kind == Token::Name && !isWord) ||
             isOperator("[") || isOperator("{")) {
    node->names.push_back("");
    node->children.push_back(postfix(primary()));
  }
  if (!isNegated)
    return node;
  return around(Node::Unary, "not", std::move(node));
}

} // namespace sinter::chat_template
