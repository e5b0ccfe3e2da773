// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of passes, and their registration with sinter-opt.
#include "pass_table.h"

#include "dialects.h"
#include "graph/differentiate.h"
#include "graph/passes.h"
#include "memory/passes.h"
#include "ops/conversion.h"
#include "passes/passes.h"
#include "pipeline.h"

#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace sinter {
namespace {

/// Without the options and the diagnostics of the driver, which calls convertToTensorIR itself: problems are printed.
LogicalResult convertNodes(ModuleOp module) {
  Diagnostics diagnostics;
  LogicalResult converted = convertToTensorIR(module, diagnostics);
  diagnostics.print(llvm::errs(), "model");
  return converted;
}

/// Likewise; without function bodies, which are the driver's.
LogicalResult differentiateNodes(ModuleOp module) {
  Diagnostics diagnostics;
  LogicalResult done = differentiate(module, diagnostics, [](NodeOp, OpBuilder &) { return failure(); });
  diagnostics.print(llvm::errs(), "model");
  return done;
}

const PassInfo passes[] = {
    {"differentiate", false, "Gradient becomes the nodes of reverse-mode differentiation",
     WithContext<differentiateNodes>::run},
#define SINTER_PASS(function, parameters, name, optional, summary)                                                     \
  {name, optional, summary, WithContext<function>::run},
#include "graph/passes.def"
    {"convert-nodes", false, "node IR becomes tensor IR", WithContext<convertNodes>::run},
#include "memory/passes.def"
#include "passes/passes.def"
#undef SINTER_PASS
};

/// Not in the table, because it runs the table.
const PassInfo wholePipeline = {"compile-to-planned-ir", false,
                                "all passes from tensor IR to planned IR, as the compiler runs them",
                                [](ModuleOp module, const PassContext &context) {
                                  PipelineOptions options;
                                  PassRunner runner(options, context);
                                  return compileToPlannedIR(module, options, runner);
                                }};

/// One of our functions as sinter-opt wants it. The compiler itself calls the functions, without a pass manager.
class FunctionPass : public PassWrapper<FunctionPass, OperationPass<ModuleOp>> {
public:
  explicit FunctionPass(const PassInfo &info) : info(info) {}
  StringRef getArgument() const override { return info.name; }
  StringRef getDescription() const override { return info.summary; }
  void getDependentDialects(DialectRegistry &registry) const override { registerDialects(registry); }
  void runOnOperation() override {
    FailureOr<PassContext> context = contextOf(getOperation());
    if (failed(context) || failed(info.run(getOperation(), *context)))
      signalPassFailure();
  }

private:
  const PassInfo &info;
};

} // namespace

const PassInfo *findPass(StringRef name) {
  for (const PassInfo &pass : passes)
    if (pass.name == name)
      return &pass;
  return nullptr;
}

void registerPasses() {
  registerTransformsPasses();
  for (const PassInfo &pass : passes)
    registerPass([&pass] { return std::make_unique<FunctionPass>(pass); });
  registerPass([] { return std::make_unique<FunctionPass>(wholePipeline); });
}

} // namespace sinter
