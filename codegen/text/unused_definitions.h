// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that nothing in the printed function mentions. Which of them an expression keeps is known only once all is
// printed: 17 * N / 17 may be the size of a view whose elements are then addressed without it.
#pragma once

#include "code.h"
#include "llvm/ADT/StringSet.h"
#include <set>
#include <string>

namespace sinter {

/// All names in a text outside of comments, numbers and keywords among them.
llvm::StringSet<> namesIn(llvm::StringRef text);

/// `statements` without the lines `const T NAME = ...;` of those `defined` names that no other line mentions outside of
/// comments, nor a line that is left out. The expressions must have no effects.
std::string withoutUnused(llvm::StringRef statements, const std::set<Identifier> &defined);

} // namespace sinter
