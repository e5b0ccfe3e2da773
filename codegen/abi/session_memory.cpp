// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/abi/session_memory.h"

#include "codegen/text/element_text.h"

#include "llvm/Support/MathExtras.h"

namespace sinter {

void SessionMemory::add(const InterfaceTensor &tensor) {
  indices[&tensor] = all.size();
  all.push_back({names.make(tensor.variable()), end, tensor.maxBytes()});
  end = static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(end + tensor.maxBytes()), alignment));
}

PrintedCode SessionMemory::pointerTo(const InterfaceTensor &tensor) const {
  return PrintedCode("reinterpret_cast<", abiText(tensor.type), " *>(memory + at_", nameOf(tensor), ")");
}

SessionMemory::SessionMemory(const Interface &interface, const CodegenOptions &options)
    : arenaBytes(interface.arenaBytes),
      alignment(static_cast<uint64_t>(std::max<int64_t>(options.target.alignment, 8))) {
  (void)names.fixed("arena");
  const SessionPlan &plan = *options.session;
  auto outputOf = [&](const EncodeProgram &program, const MadeBefore &by) -> size_t {
    for (const InterfaceTensor &output : program.interface.outputs)
      if (output.name == by.output)
        return indices.at(&output);
    llvm_unreachable("what is made before is an output of an earlier program");
  };
  auto made = [&](const MadeBefore &by) { return outputOf(plan.encode[by.program], by); };
  for (const EncodeProgram *program : plan.programs())
    arenaBytes = std::max(arenaBytes, program->interface.arenaBytes);
  auto addProgram = [&](const EncodeProgram &program) {
    for (const InterfaceTensor &input : program.interface.inputs) {
      EncodeProgram::Role role = program.inputs.lookup(input.name);
      if (role.input == EncodeInput::Made)
        indices[&input] = made(role.made);
      else if (role.input != EncodeInput::Adapters)
        add(input);
    }
    for (const InterfaceTensor &output : program.interface.outputs)
      add(output);
  };
  for (const EncodeProgram &program : plan.encode)
    addProgram(program);
  if (plan.embed)
    addProgram(*plan.embed);
  for (const InterfaceTensor &input : interface.inputs) {
    SessionPlan::Role role = plan.inputs.lookup(input.name);
    if (role.input == SessionInput::Encoded)
      indices[&input] = made(role.made);
    else if (role.input == SessionInput::Embedded)
      indices[&input] = outputOf(*plan.embed, role.made);
    else if (role.input != SessionInput::Adapters)
      add(input);
  }
  for (const InterfaceTensor &output : interface.outputs)
    add(output);
}

} // namespace sinter
