// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lenient.h"

#include "conversion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace sinter {

LogicalResult lenient(const Op &op, const Twine &what, const Twine &reading, const Twine &hint) {
  if (op.node->getParentOfType<func::FuncOp>()->hasAttr(strictAttribute))
    return op.fail(Code::ShapeMismatch, what, hint + "; without --strict it is read all the same");
  std::string note = (what + "; " + reading).str();
  Diagnostics &diagnostics = op.conversion.diagnostics;
  if (!llvm::is_contained(diagnostics.allNotes(), note)) // of many nodes alike
    diagnostics.note(note);
  return success();
}

} // namespace sinter
