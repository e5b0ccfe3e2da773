// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/chat_template_file.h"

#include "driver/answer.h"
#include "driver/flags.h"
#include "support/given_file.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace sinter {

static constexpr uint64_t mostTemplateBytes = 4 << 20; // the compiler has a smaller limit of its own

ExitStatus compileChatTemplateFile(StringRef path, std::optional<chat_template::CompiledChat> &compiled) {
  Expected<std::unique_ptr<MemoryBuffer>> file = readGiven(path, mostTemplateBytes);
  if (!file) {
    printError(toString(file.takeError()));
    return ExitUsage;
  }
  Diagnostics diagnostics;
  compiled = chat_template::compileChatTemplate((*file)->getBuffer(), diagnostics);
  tell(diagnostics, path);
  return compiled ? ExitOk : ExitModel;
}

} // namespace sinter
