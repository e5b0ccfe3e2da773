// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of bytes get the kernels of their target: the constant operand in the order that the kernel reads, `packed`
// naming it, zero points folded into the epilogue. What no kernel takes stays as it is, for the kernels of all
// integers.
#include "passes/passes.h"

#include "kernels/lines/support/line_core.h"
#include "passes/packing/support/pack_lines.h"
#include "passes/packing/support/pack_quads.h"

using namespace mlir;

namespace sinter {

LogicalResult packIntegers(ModuleOp module, const Target &target, Requant requant) {
  if (target.byteKernels == ByteKernels::Quads)
    packQuads(module, target);
  if (const LineCore *core = lineCore(target))
    packLines(module, *core, requant);
  return success();
}

} // namespace sinter
