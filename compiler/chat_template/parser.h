// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens to a tree. After a complaint all tokens count as read, so that whoever reads them comes to an end.
#pragma once

#include "chat_template/syntax.h"

namespace sinter::chat_template {

class ExpressionParser {
public:
  ExpressionParser(std::vector<Token> tokens, Complaint &complaint) : tokens(std::move(tokens)), complaint(complaint) {}

  /// An expression; with `canChoose` also `a if b else c`.
  NodePtr expression(bool canChoose = true);
  /// The same, or several as a list.
  NodePtr expressions();

protected:
  const Token &now() const { return tokens[at]; }
  const Token &behind() const { return tokens[std::min(at + 1, tokens.size() - 1)]; }
  bool isOperator(llvm::StringRef text) const { return now().is(Token::Operator, text); }
  bool isName(llvm::StringRef text) const { return now().is(Token::Name, text); }
  void next() { at = std::min(at + 1, tokens.size() - 1); }
  bool takeOperator(llvm::StringRef text);
  bool takeName(llvm::StringRef text);
  void wantOperator(llvm::StringRef text);
  std::string wantName(const llvm::Twine &what);
  NodePtr fail(const llvm::Twine &what);
  NodePtr refuse(const llvm::Twine &what);
  NodePtr refuseSize(const llvm::Twine &what);
  NodePtr make(Node::Kind kind, const llvm::Twine &text = "") const;
  std::string nowText() const;

  static constexpr unsigned deepest = 64, mostLevels = 500;
  void startStatement() { levels = 0; }
  /// Counts how deep the parser is in itself.
  class Depth {
  public:
    explicit Depth(ExpressionParser &parser) : parser(parser) { ++parser.depth; }
    ~Depth() { --parser.depth; }
    Depth(const Depth &) = delete;
    Depth &operator=(const Depth &) = delete;
    bool isTooDeep() const;

  private:
    ExpressionParser &parser;
  };

private:
  NodePtr either();
  NodePtr both();
  NodePtr negation();
  NodePtr comparison();
  NodePtr sum();
  NodePtr concatenation();
  NodePtr product();
  NodePtr unary(bool canFilter);
  NodePtr primary();
  NodePtr postfix(NodePtr node);
  NodePtr subscript(NodePtr node);
  NodePtr filters(NodePtr node);
  NodePtr test(NodePtr node);
  NodePtr dictionary();
  void arguments(Node &to);
  NodePtr binary(llvm::StringRef text, NodePtr left, NodePtr right);
  /// A node around another, which is one level more for whoever walks the tree.
  NodePtr around(Node::Kind kind, const llvm::Twine &text, NodePtr inner);
  void stop() { at = tokens.size() - 1; }

  std::vector<Token> tokens;
  Complaint &complaint;
  size_t at = 0;
  unsigned depth = 0, levels = 0;
};

} // namespace sinter::chat_template
