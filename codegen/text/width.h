// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A finished source for readers: no line is longer than they see at once, and it says at its beginning what stands
// where.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace sinter {

/// Lines longer than `width` are broken: code behind a comma or an operator, comments behind a word (one that follows
/// code goes in front of it), string literals into two. Directives stay. The tokens are the same.
std::string withinWidth(llvm::StringRef text, size_t width = 140);

/// The comment that begins a section.
inline constexpr llvm::StringLiteral sectionBegin = "// ======== ";

/// Behind the first comment, a list of the sections and of the kernels' functions with their lines.
std::string withContents(llvm::StringRef text);

} // namespace sinter
