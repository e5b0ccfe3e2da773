// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree to code. Names become slots here: a loop's body has slots of its own, which begin with what is outside at each
// turn, so that what it sets is gone behind it, as in Jinja.
#pragma once

#include "chat_template/callables.h"
#include "chat_template/compile.h"
#include "chat_template/syntax.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <set>

namespace sinter::chat_template {

class Generator {
public:
  Generator(CompiledChat &to, Complaint &complaint) : to(to), complaint(complaint) {}
  void run(const Node &whole);

private:
  using Op = generation::ChatOp;
  /// Names of a piece of the template. The outermost has no parent.
  struct Scope {
    Scope *parent;
    std::map<std::string, uint32_t> slots;
  };
  struct Loop {
    std::vector<size_t> breaks;
    size_t next;
    unsigned captures;
  };

  // Code.
  size_t emit(Op op, size_t operand = 0) {
    to.code.push_back(static_cast<uint32_t>(op) | static_cast<uint32_t>(operand) << 8);
    return to.code.size() - 1;
  }
  template <class E>
  size_t emitNumber(Op op, E operand) {
    return emit(op, static_cast<size_t>(operand));
  }
  void emitWord(size_t word) { to.code.push_back(static_cast<uint32_t>(word)); }
  void landHere(size_t jump) { to.code[jump] |= static_cast<uint32_t>(to.code.size()) << 8; }
  uint32_t stringNumber(llvm::StringRef text);
  void constant(generation::ChatKind kind, bool flag = false) {
    emit(Op::Constant, static_cast<uint32_t>(kind) | uint32_t(flag) << 8);
  }

  // Names.
  void load(llvm::StringRef name, unsigned line);
  void storeName(llvm::StringRef name, unsigned line);
  std::optional<std::pair<uint32_t, bool>> findName(llvm::StringRef name) const; ///< slot, whether of the outermost
  /// Declares what a body sets, beginning with what is outside.
  void enter(Scope &scope, const Node &body, llvm::ArrayRef<std::string> targets = {});
  void collectStores(const Node &body, llvm::StringSet<> &known, std::vector<std::string> &names) const;

  // Expressions.
  void expression(const Node &node);
  void binary(const Node &node);
  void comparison(const Node &node);
  void choice(const Node &node);
  void slice(const Node &node);
  void attribute(const Node &node);
  void call(const Node &node);
  void callFunction(const Node &node);
  void callMacro(const Node &node, uint32_t number);
  void callNamespace(const Node &node);
  void filter(const Node &node);
  void selectItems(const Node &node);
  void mapItems(const Node &node);
  void test(const Node &node);
  /// The arguments in the order of the parameters; those that are left out are Missing. How many there are.
  size_t arguments(const Node &node, llvm::ArrayRef<std::string> parameters, size_t required, llvm::StringRef what);
  size_t arguments(const Node &node, const Callable &callable, llvm::StringRef what);

  // Statements.
  void statement(const Node &node);
  void body(const Node &node);
  void ifStatement(const Node &node);
  void forStatement(const Node &node);
  void chooseItems(const Node &node);
  void storeTargets(const Node &node);
  void set(const Node &node);
  void captured(const Node &body);
  void macro(const Node &node, uint32_t number);
  void leaveLoop(const Node &node);

  CompiledChat &to;
  Complaint &complaint;
  llvm::StringMap<uint32_t> strings;
  llvm::StringMap<uint32_t> macros;
  std::vector<const Node *> macroNodes;
  std::set<std::string> members; ///< that are set of any namespace
  Scope outermost{nullptr, {}};
  Scope *scope = &outermost;
  std::vector<Loop> loops;
  uint32_t slots = 0, outerSlots = 0, macrosSeen = 0;
  unsigned captures = 0;
  bool isMacro = false, hasLoop = false;
};

} // namespace sinter::chat_template
