// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that users get nearly as they stand in this repository, with names in them to be filled in: @prefix@.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>

namespace sinter {
/// `text` with each @name@ of `values` replaced, once: what a value holds is not looked at. An @ of the text's own
/// stays.
std::string fillIn(llvm::StringRef text, llvm::ArrayRef<std::pair<llvm::StringRef, std::string>> values,
                   char mark = '@');
} // namespace sinter
