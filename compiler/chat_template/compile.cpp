// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chat_template/compile.h"

#include "chat_template/generator.h"

using namespace llvm;

namespace sinter::chat_template {
namespace {
constexpr size_t longestTemplate = 1 << 20;
} // namespace

generation::ChatProgram CompiledChat::view() const {
  return {code.data(),
          starts.data(),
          bytes.data(),
          numbers.data(),
          macros.data(),
          context.data(),
          static_cast<uint32_t>(context.size() / 2),
          slots};
}

std::optional<CompiledChat> compileChatTemplate(StringRef source, Diagnostics &diagnostics) {
  Complaint complaint(diagnostics);
  if (source.size() > longestTemplate) {
    complaint.tooLarge(1, "the template has more than " + Twine(longestTemplate) + " bytes");
    return std::nullopt;
  }
  CompiledChat to;
  NodePtr tree = parseTemplate(source, complaint);
  if (!tree)
    return std::nullopt;
  Generator(to, complaint).run(*tree);
  uint32_t slots = to.slots;
  for (const generation::ChatMacro &macro : to.macros)
    slots = std::max(slots, macro.slots);
  if (slots > mostSlots || to.code.size() > mostCode)
    complaint.tooLarge(1, "the template has too many variables or too much code");
  if (complaint.hasSpoken())
    return std::nullopt;
  return to;
}

} // namespace sinter::chat_template
