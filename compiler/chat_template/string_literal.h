// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a quoted string of a template stands for: the escapes of Python.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace sinter::chat_template {

/// `body` is what is between the quotes. None if an escape is cut off, names a character by its name, or is none.
std::optional<std::string> unescape(llvm::StringRef body);

} // namespace sinter::chat_template
