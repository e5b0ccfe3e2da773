// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/part_job.h"

namespace sinter {

CompileJob partOf(const CompileJob &job, llvm::StringRef model, llvm::StringRef name) {
  CompileJob part = job;
  part.model = model.str();
  part.import.dims.clear();
  part.polynomials.clear();
  part.conversion.states.clear();
  part.exactCopies.clear();
  part.import.shared.isLast = false;
  part.decoder.reset();
  part.codegen.session.reset();
  part.codegen.example = false;
  part.codegen.prefix = job.codegen.prefix + "_" + name.str();
  return part;
}

bool PartSettings::fail(Code code, const llvm::Twine &what, const llvm::Twine &hint) {
  diagnostics.report({code, what.str(), {}, hint.str()});
  return false;
}

mlir::OwningOpRef<mlir::ModuleOp> PartSettings::import(llvm::StringRef path, mlir::MLIRContext &context) {
  ImportOptions options = job.import;
  options.dims.clear();
  constexpr int64_t any = 8;
  options.dims.try_emplace("*", DimValue{0, any});
  options.shared.isLast = false;
  return importModel(path.str(), options, context, diagnostics);
}

bool PartSettings::compile(const CompileJob &part, EncodeProgram &program) {
  DiagnosticsAbout model(diagnostics, part.model + ": ");
  CompiledModel made;
  if (compilePart(part, made) != ExitOk)
    return false;
  program.prefix = part.codegen.prefix;
  program.interface = std::move(made.interface);
  if (!job.switched.empty())
    program.inputs[adapterWeights] = {EncodeInput::Adapters, {}};
  program.weightsBytes = made.weightsBytes;
  return true;
}

} // namespace sinter
