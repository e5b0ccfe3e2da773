// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of packages that their users edit, such as a server's settings. One of them has a line of its own, a comment,
// with the sum of what stood below it as it was made: whether it was edited since, and whether what was edited is what
// would be made today, can be told years later.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace sinter {

/// The name in a file of codegen/packages/files, between @, where the sum goes.
inline constexpr llvm::StringLiteral sumName = "sum";

/// Of all lines below the one with the sum.
std::string sumBelow(llvm::StringRef text);
/// The one that the file was made with; none where it has none.
std::optional<std::string> recordedSum(llvm::StringRef text);

} // namespace sinter
