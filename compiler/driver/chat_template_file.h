// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chat template's file, compiled: of `sinter tokenizer` and of the verbs that converse.
#pragma once

#include "chat_template/compile.h"
#include "driver/verbs.h"

namespace sinter {

/// ExitOk, or the status to end with after a message.
ExitStatus compileChatTemplateFile(llvm::StringRef path, std::optional<chat_template::CompiledChat> &compiled);

} // namespace sinter
