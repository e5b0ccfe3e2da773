// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of passes, and their registration with sinter-opt.
#include "passes.h"

#include "pipeline.h"
#include "registry.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace sinter {
namespace {

const PassInfo passes[] = {
#define SINTER_PASS(function, name, optional, summary) {name, optional, summary, function},
#include "passes.def"
#undef SINTER_PASS
};

/// Not in the table, because it runs the table.
const PassInfo wholePipeline = {"compile-to-planned-ir", false,
                                "all passes from tensor IR to planned IR, as the compiler runs them",
                                [](ModuleOp module) { return compileToPlannedIR(module); }};

/// One of our functions as sinter-opt wants it. The compiler itself calls the functions, without a pass manager.
class FunctionPass : public PassWrapper<FunctionPass, OperationPass<ModuleOp>> {
public:
  explicit FunctionPass(const PassInfo &info) : info(info) {}
  StringRef getArgument() const override { return info.name; }
  StringRef getDescription() const override { return info.summary; }
  void getDependentDialects(DialectRegistry &registry) const override { registerDialects(registry); }
  void runOnOperation() override {
    if (failed(info.run(getOperation())))
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
