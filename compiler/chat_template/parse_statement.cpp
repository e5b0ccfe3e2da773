// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements.
#include "chat_template/parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace sinter::chat_template {
namespace {
class StatementParser : ExpressionParser {
public:
  using ExpressionParser::ExpressionParser;

  NodePtr whole() {
    NodePtr node = body({});
    if (now().kind != Token::End)
      fail("'" + now().text + "' ends nothing");
    return node;
  }

private:
  /// Up to a tag that begins with one of the names; that tag's begin is read, its name is not.
  NodePtr body(ArrayRef<StringRef> ends) {
    Depth guard(*this);
    NodePtr node = make(Node::Body);
    unsigned line = now().line;
    while (!guard.isTooDeep() && now().kind != Token::End) {
      startStatement();
      if (now().kind == Token::Text) {
        node->children.push_back(make(Node::Text, now().text));
        next();
      } else if (now().kind == Token::OutputBegin) {
        next();
        NodePtr output = make(Node::Output);
        output->children.push_back(expressions());
        if (now().kind != Token::OutputEnd)
          fail("'}}' is expected, not " + nowText());
        next();
        node->children.push_back(std::move(output));
      } else {
        next(); // the begin of a block
        if (now().kind == Token::Name && is_contained(ends, now().text))
          return node;
        node->children.push_back(statement());
      }
    }
    if (!ends.empty())
      fail("'" + ends.back() + "' is missing for the block of line " + Twine(line));
    return node;
  }
  void endTag() {
    if (now().kind != Token::BlockEnd)
      fail("'%}' is expected, not " + nowText());
    next();
  }
  /// A body and its end.
  NodePtr bodyUpTo(StringRef end) {
    NodePtr node = body({end});
    next();
    endTag();
    return node;
  }

  NodePtr statement() {
    NodePtr node = make(Node::Body, now().text);
    std::string word = wantName("a statement");
    if (word == "if")
      return ifStatement(std::move(node));
    if (word == "for")
      return forStatement(std::move(node));
    if (word == "set")
      return setStatement(std::move(node));
    if (word == "macro")
      return macro(std::move(node));
    if (word == "generation") {
      node->kind = Node::Generation;
      endTag();
      node->children.push_back(bodyUpTo("endgeneration"));
      return node;
    }
    if (word == "break" || word == "continue") {
      node->kind = word == "break" ? Node::Break : Node::Continue;
      endTag();
      return node;
    }
    for (StringRef known : {"raw", "filter", "call", "block", "extends", "include", "import", "from", "with", "do",
                            "autoescape", "trans", "debug"})
      if (word == known)
        return refuse("the statement '" + word + "'");
    return fail("there is no statement '" + word + "'" + (StringRef(word).starts_with("e") ? " to begin here" : ""));
  }

  NodePtr ifStatement(NodePtr node) {
    node->kind = Node::If;
    for (;;) {
      node->children.push_back(expressions());
      endTag();
      node->children.push_back(body({"elif", "else", "endif"}));
      if (!takeName("elif"))
        break;
      startStatement();
    }
    NodePtr otherwise;
    if (takeName("else")) {
      endTag();
      otherwise = body({"endif"});
    }
    next();
    endTag();
    node->children.push_back(std::move(otherwise));
    return node;
  }
  NodePtr forStatement(NodePtr node) {
    node->kind = Node::For;
    bool hasBracket = takeOperator("(");
    do
      node->names.push_back(wantName("a loop's variable"));
    while (takeOperator(",") && now().kind == Token::Name && !isName("in"));
    if (hasBracket)
      wantOperator(")");
    if (!takeName("in"))
      fail("'in' is expected, not " + nowText());
    node->children.push_back(expression(/*canChoose=*/false));
    node->children.push_back(takeName("if") ? expression() : nullptr);
    if (isName("recursive"))
      return refuse("recursive loops");
    endTag();
    node->children.push_back(body({"else", "endfor"}));
    NodePtr otherwise;
    if (takeName("else")) {
      endTag();
      otherwise = body({"endfor"});
    }
    next();
    endTag();
    node->children.push_back(std::move(otherwise));
    return node;
  }
  NodePtr setStatement(NodePtr node) {
    node->text = "";
    node->names.push_back(wantName("a variable"));
    if (takeOperator("."))
      node->text = wantName("an attribute");
    if (isOperator(","))
      return refuse("several variables in one 'set'");
    if (takeOperator("=")) {
      node->kind = Node::Set;
      node->children.push_back(expressions());
      endTag();
      return node;
    }
    node->kind = Node::SetBlock;
    if (isOperator("|"))
      return refuse("a filter of 'set' with a body");
    endTag();
    node->children.push_back(bodyUpTo("endset"));
    return node;
  }
  NodePtr macro(NodePtr node) {
    node->kind = Node::Macro;
    node->text = wantName("a macro's name");
    wantOperator("(");
    node->children.push_back(nullptr);
    StringSet<> known;
    while (!isOperator(")") && now().kind != Token::End) {
      std::string name = wantName("a parameter");
      if (!known.insert(name).second)
        return fail("the parameter '" + name + "' is there twice");
      if (known.size() > mostSlots)
        return refuseSize("a macro has more than " + Twine(mostSlots) + " parameters");
      node->names.push_back(name);
      node->children.push_back(takeOperator("=") ? expression() : nullptr);
      if (!takeOperator(","))
        break;
    }
    wantOperator(")");
    endTag();
    node->children[0] = bodyUpTo("endmacro");
    return node;
  }
};
} // namespace

NodePtr parseTemplate(StringRef source, Complaint &complaint) {
  std::vector<Token> tokens = lexTemplate(source, complaint);
  if (complaint.hasSpoken())
    return nullptr;
  NodePtr node = StatementParser(std::move(tokens), complaint).whole();
  return complaint.hasSpoken() ? nullptr : std::move(node);
}

} // namespace sinter::chat_template
