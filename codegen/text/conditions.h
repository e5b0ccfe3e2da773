// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditional parts of a source, decided where it is known which macros its compiler defines: the parts of other
// instruction sets are left out, and their conditions with them. What nobody knows stays a condition.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace sinter {

/// Whether the compiler defines a macro; nullopt: nobody knows.
using MacroOracle = llvm::function_ref<std::optional<bool>(llvm::StringRef)>;

/// Takes a text line by line, of one header behind the other.
class Conditions {
public:
  /// The macros that the text defines itself begin with `prefix`; they are undefined until it does.
  Conditions(MacroOracle oracle, llvm::StringRef prefix) : oracle(oracle), prefix(prefix) {}

  /// What is left of a line; nullopt: nothing.
  std::optional<std::string> keep(llvm::StringRef line);

private:
  /// One #if to its #endif.
  struct Group {
    bool wasLive;   ///< what is around it is kept
    bool isDecided; ///< a branch is taken for sure; the rest is left out
    bool isPrinted; ///< a branch before is printed with its condition
    bool isLive;    ///< the branch that we are in
    bool isSure() const { return isLive && !isPrinted; }
  };

  std::optional<std::string> begin(llvm::StringRef condition);
  std::optional<std::string> otherwise(std::optional<llvm::StringRef> condition);
  std::optional<std::string> end();
  void define(llvm::StringRef definition);
  bool isLive() const { return groups.empty() || groups.back().isLive; }

  MacroOracle oracle;
  llvm::StringRef prefix;
  llvm::SmallVector<Group> groups;
  /// What the text has defined: an integer, or something else; nullopt: perhaps.
  struct Definition {
    bool isSure = true;
    std::optional<int64_t> value;
  };
  llvm::StringMap<Definition> defined;

  friend class ConditionReader;
};

} // namespace sinter
