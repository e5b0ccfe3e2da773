// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chat template to the program that runtime-lite/generation/chat_template.h runs.
#pragma once

#include "diagnostics/diagnostics.h"
#include "runtime-lite/generation/chat_program.h"

#include <optional>
#include <string>
#include <vector>

namespace sinter::chat_template {

/// What ChatProgram points to.
struct CompiledChat {
  std::vector<uint32_t> code, starts = {0};
  std::vector<uint8_t> bytes;
  std::vector<int64_t> numbers;
  std::vector<generation::ChatMacro> macros;
  std::vector<uint32_t> context;
  uint32_t slots = 0;

  /// It ends with this.
  generation::ChatProgram view() const;
};

/// None after a message.
std::optional<CompiledChat> compileChatTemplate(llvm::StringRef source, Diagnostics &diagnostics);

} // namespace sinter::chat_template
