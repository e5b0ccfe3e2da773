// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter-opt: runs passes by name on any textual form. What the passes are: ../pipeline/pass_table.h; tests use it with
// FileCheck.
#include "interpreter/interpret_pass.h"
#include "pipeline/dialects.h"
#include "pipeline/pass_table.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  sinter::registerDialects(registry);
  sinter::registerPasses();
  sinter::registerInterpretPass();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "sinter-opt\n", registry));
}
