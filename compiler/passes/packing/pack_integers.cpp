// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of bytes get the kernels of their target, which is the module attribute `sinter.int_kernels` (the targets'
// int_kernels): the constant operand in the order that the kernel reads, `packed` naming it, zero points folded into
// the epilogue. What no kernel takes stays as it is, for the kernels of all integers.
#include "passes/passes.h"

#include "kernels/lines/line_core.h"
#include "passes/packing/support/pack_lines.h"
#include "passes/packing/support/pack_quads.h"

using namespace mlir;

namespace sinter {

LogicalResult packIntegers(ModuleOp module) {
  auto attribute = module->getAttrOfType<StringAttr>("sinter.int_kernels");
  StringRef kernels = attribute ? attribute.getValue() : StringRef();
  if (takesQuads(kernels))
    packQuads(module, kernels);
  if (lineCore(kernels))
    packLines(module, kernels);
  return success();
}

} // namespace sinter
