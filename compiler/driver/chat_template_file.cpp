// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/chat_template_file.h"

#include "driver/answer.h"
#include "driver/flags.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace sinter {

ExitStatus compileChatTemplateFile(StringRef path, std::optional<chat_template::CompiledChat> &compiled) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file) {
    printError(path + ": " + file.getError().message());
    return ExitUsage;
  }
  Diagnostics diagnostics;
  compiled = chat_template::compileChatTemplate((*file)->getBuffer(), diagnostics);
  tell(diagnostics, path);
  return compiled ? ExitOk : ExitModel;
}

} // namespace sinter
