// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contraction_call.h"

using namespace mlir;

namespace sinter {

/// What a kernel works in, as `type *`.
static Code scratchOf(Value scratch, StringRef type, KernelFunction &function) {
  if (!scratch)
    return "nullptr";
  Identifier pointer = function.pointer(function.values().view(scratch), "scratch", true);
  return type.empty() ? Code(pointer) : Code("reinterpret_cast<", Code::trusted(type), " *>(", pointer, ")");
}

bool takes(const ContractionCall &call, CallArgument::Kind kind) {
  return llvm::any_of(call.arguments, [&](const CallArgument &argument) { return argument.kind == kind; });
}

Printed printContractionCall(const ContractionCall &call, KernelFunction &function, Value scratch,
                             function_ref<Code(const CallArgument &)> print) {
  for (StringRef header : call.headers)
    function.need(header);
  auto printAll = [&](ArrayRef<CallArgument> arguments) {
    std::vector<Code> texts;
    for (const CallArgument &argument : arguments)
      texts.push_back(argument.kind == CallArgument::Number    ? Code(argument.number)
                      : argument.kind == CallArgument::Name    ? Code::trusted(argument.text)
                      : argument.kind == CallArgument::Scratch ? scratchOf(scratch, argument.text, function)
                                                               : print(argument));
    return joinCode(texts);
  };
  Code callee = Code::trusted(call.function);
  if (!call.templateArguments.empty())
    callee = Code(callee, "<", printAll(call.templateArguments), ">");
  Code arguments = printAll(call.arguments);
  function.body.line(callee, "(", arguments, ");");
  return Printed{call.kind, call.why};
}

} // namespace sinter
