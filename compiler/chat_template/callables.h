// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters, tests and methods by name, with their parameters.
#pragma once

#include "runtime-lite/generation/chat_program.h"
#include "runtime-lite/generation/chat_value.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace sinter::chat_template {

struct Callable {
  llvm::StringLiteral name;
  uint32_t number; ///< a ChatFilter, ChatTest or ChatMethod
  unsigned required = 0, most = 0;
  llvm::StringLiteral parameters[3] = {"", "", ""};
};

/// Null if there is none of the name.
const Callable *findFilter(llvm::StringRef name);
const Callable *findTest(llvm::StringRef name);
const Callable *findMethod(llvm::StringRef name);
const Callable *findLoopValue(llvm::StringRef name);
/// Functions that templates call: range, namespace, raise_exception, strftime_now.
bool isFunction(llvm::StringRef name);

} // namespace sinter::chat_template
