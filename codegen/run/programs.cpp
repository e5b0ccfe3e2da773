// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace sinter {
namespace {

/// The dims of the model that have a size in the copy.
std::vector<ExactSize> exactSizes(const Interface &interface, const Interface &copy) {
  std::vector<ExactSize> sizes;
  for (auto [tensor, exact] : llvm::zip(interface.inputs, copy.inputs))
    for (auto [dim, exactDim] : llvm::zip(tensor.dims, exact.dims)) {
      const SymbolicDim *symbol = interface.findDim(dim.symbol);
      bool isKnown = llvm::any_of(sizes, [&](const ExactSize &size) { return symbol && size.name == symbol->name; });
      if (symbol && exactDim.size >= 0 && !isKnown)
        sizes.push_back({symbol->member, symbol->name, exactDim.size});
    }
  return sizes;
}

/// Arenas as large as any program needs them, which lie one behind the other as in the plan of one.
void growArenas(Interface &interface, const Interface &copy) {
  interface.arenaBytes = std::max(interface.arenaBytes, copy.arenaBytes);
  interface.pinnedBytes = std::max(interface.pinnedBytes, copy.pinnedBytes);
  int64_t end = 0;
  for (auto [region, other] : llvm::zip(interface.regions, copy.regions)) {
    region.bytes = std::max(region.bytes, other.bytes);
    region.begin = end;
    end += region.bytes;
  }
  interface.arenaBytes = std::max(interface.arenaBytes, end);
}

} // namespace

FailureOr<std::vector<PrintedProgram>> programsOf(ArrayRef<ModuleOp> planned, Interface &interface,
                                                  StringRef macroPrefix) {
  std::vector<PrintedProgram> programs(planned.size());
  Names names;
  for (auto [i, program] : llvm::enumerate(programs)) {
    ModuleOp module = program.module = planned[i];
    FailureOr<Interface> own = readInterface(module, macroPrefix);
    if (failed(own))
      return failure();
    program.arenaBytes = own->arenaBytes;
    program.onlyStates = i > 0 && own->outputs.empty() && !interface.outputs.empty();
    interface.mayAskForNone |= program.onlyStates;
    if (own->inputs.size() != interface.inputs.size() ||
        (own->outputs.size() != interface.outputs.size() && !program.onlyStates) ||
        own->regions.size() != interface.regions.size())
      return module.emitError("a program of the same model has another interface"), failure();
    growArenas(interface, *own);
    if (i > 0)
      program.sizes = exactSizes(interface, *own);
    std::string wish = program.onlyStates ? "run_states" : "run";
    for (const ExactSize &size : program.sizes)
      wish += (llvm::Twine("_") + size.dim.text() + "_" + llvm::Twine(size.size)).str();
    program.function = names.make(planned.size() == 1 ? "run" : i == 0 ? "run_any" : wish);
  }
  return programs;
}

LogicalResult printPrograms(std::vector<PrintedProgram> &programs, const Interface &interface, KernelList &kernels,
                            const CodegenOptions &options) {
  for (PrintedProgram &program : programs) {
    program.firstCall = kernels.numberOfCall(kernels.calls.size());
    program.run = std::make_unique<RunPrinter>(interface, kernels, options);
    if (failed(program.run->print(program.module.lookupSymbol<func::FuncOp>("main").getBody().front())))
      return failure();
    program.callCount = kernels.numberOfCall(kernels.calls.size()) - program.firstCall;
  }
  return success();
}

PrintedCode asksForOutputs(const Interface &interface) {
  std::vector<PrintedCode> given;
  for (const InterfaceTensor &tensor : interface.outputs)
    given.push_back(PrintedCode("out.", tensor.place()));
  return joinCode(given, " || ");
}

void printDispatch(Printer &out, const Interface &interface, ArrayRef<PrintedProgram> programs, const ModelNames &names,
                   const PrintedCode &parameters, const PrintedCode &arguments) {
  if (programs.size() == 1)
    return;
  out.blank();
  out.comment("A call goes to the copy that is for it, or to what is for all of them.");
  auto block =
      out.block("int run(const ", names.prefix, "_inputs &in, ", names.prefix, "_outputs &out, ", parameters, ")");
  for (const PrintedProgram &program : programs.drop_front()) {
    std::vector<PrintedCode> conditions;
    if (program.onlyStates)
      conditions.push_back(PrintedCode("!(", asksForOutputs(interface), ")"));
    for (const ExactSize &size : program.sizes)
      conditions.push_back(PrintedCode("in.", size.dim, " == ", size.size));
    out.line("if (", joinCode(conditions, " && "), ")");
    out.line("  return ", program.function, "(in, out, ", arguments, ");");
  }
  out.line("return ", programs.front().function, "(in, out, ", arguments, ");");
}

std::string copyText(ArrayRef<ExactSize> sizes, bool onlyStates) {
  std::string text = onlyStates ? "states alone" : "";
  for (const ExactSize &size : sizes)
    text += (text.empty() ? "" : ", ") + size.name + " = " + std::to_string(size.size);
  return text;
}

} // namespace sinter
