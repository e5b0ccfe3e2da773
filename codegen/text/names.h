// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes identifiers out of anything: legal in C and C++, never reserved, and injective, so that two tensors of a model
// never become one object.
#pragma once

#include "code.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace sinter {

/// One scope of names. The rule is the contract's: other characters become `_`, a leading digit or a name that the
/// language or a standard header takes gets `x_`, a clash `_2`, `_3`, ... (`2`, `3` behind a `_`, since names with `__`
/// are the C++ compiler's).
class Names {
public:
  Names() = default;
  /// Also keeps clear of macros: names that begin with one of `macroPrefixes` get `x_`.
  explicit Names(llvm::ArrayRef<llvm::StringRef> macroPrefixes);

  Identifier make(llvm::StringRef wish);
  /// `wish` as it is; for names that our own code fixes. Asserts that it is free.
  Identifier fixed(llvm::StringRef ours);

  /// The part that needs no scope: legal characters, no keyword, no macro. A prefix: legalPrefix of codegen.h.
  static std::string legal(llvm::StringRef wish);

private:
  llvm::StringSet<> taken;
  llvm::StringMap<unsigned> nextSuffix;
  std::vector<std::string> macroPrefixes;
};

} // namespace sinter
