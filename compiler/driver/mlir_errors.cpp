// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/mlir_errors.h"

#include "mlir/IR/MLIRContext.h"

using namespace mlir;

namespace sinter {

MlirErrors::MlirErrors(MLIRContext &context)
    : handler(&context, [this](Diagnostic &diagnostic) {
        ModelPlace place;
        if (auto name = dyn_cast<NameLoc>(diagnostic.getLocation()))
          place.node = name.getName().str();
        if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
          remarks.insert("node '" + place.node + "' is " + diagnostic.str());
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return success();
        problems.push_back({Code::CompilerFailed, diagnostic.str(), place, "please report it with the model"});
        return success();
      }) {}

ExitStatus failed(Diagnostics &diagnostics, const MlirErrors &errors, ExitStatus status) {
  for (const Problem &problem : errors.problems)
    diagnostics.report(problem);
  if (!diagnostics.hasErrors())
    diagnostics.report({Code::CompilerFailed,
                        "a step of the compiler failed without a message",
                        {},
                        "please report it with the model"});
  return status;
}

} // namespace sinter
