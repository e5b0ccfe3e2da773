// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A template as a tree.
#pragma once

#include "chat_template/lexer.h"

#include <memory>

namespace sinter::chat_template {

/// Variables of a template or of a macro, and words of code.
constexpr size_t mostSlots = 1024, mostCode = 1 << 20;

struct Node;
using NodePtr = std::unique_ptr<Node>;

/// What `text` and `children` are is said at each kind.
struct Node {
  enum Kind {
    // Expressions.
    String, ///< text
    Integer,
    Boolean, ///< number
    None,
    Undefined,
    Name,       ///< text
    Attribute,  ///< of [0]: text
    Item,       ///< of [0]: [1]
    Slice,      ///< of [0]: [1] to [2] by [3], each may be null
    Call,       ///< of [0] with the others; `names` has the keyword of each argument or nothing
    Filter,     ///< text of [0], arguments as in Call
    Test,       ///< the same
    Unary,      ///< text: - + not
    Binary,     ///< text: + - * // % ~ and or
    Comparison, ///< [0] names[0] [1] names[1] [2] ...
    Choice,     ///< [0] if [1] else [2]
    List,
    Dictionary, ///< key, value, key, value
    // Statements.
    Text,       ///< text
    Output,     ///< [0]
    If,         ///< condition, body, condition, body, ..., else or null
    For,        ///< over [0] if [1] (or null): [2], else [3] (or null); targets in `names`
    Set,        ///< of names[0] (and its attribute text) to [0]
    SetBlock,   ///< of names[0] (and its attribute text) to what [0] prints
    Macro,      ///< text; parameters in `names` with defaults (or null) in [1]...; [0] is the body
    Generation, ///< [0]
    Break,
    Continue,
    Body, ///< one statement after the other
  };
  Kind kind;
  unsigned line;
  std::string text;
  int64_t number = 0;
  std::vector<NodePtr> children;
  std::vector<std::string> names;

  const Node *child(size_t i) const { return children[i].get(); }
};

/// A Body. None after a complaint.
NodePtr parseTemplate(llvm::StringRef source, Complaint &complaint);

} // namespace sinter::chat_template
