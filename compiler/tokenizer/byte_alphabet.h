// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ByteLevel's alphabet: each byte is a character that can be seen. Bytes that are such characters in Latin-1 stand for
// themselves, the others are U+0100 and on.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace sinter::tokenizer {

/// The bytes that a word in this alphabet means; none if a character of it is not in the alphabet.
std::optional<std::string> bytesOfAlphabet(llvm::StringRef word);

} // namespace sinter::tokenizer
