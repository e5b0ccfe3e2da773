// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernel computes a product as its operands lie in memory: the one that its constant operand is packed for, where
// that can read the others, else of those that can the one of least rank (compiler/kernels). On buffers, because
// strides decide.
#include "passes/passes.h"

#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

const ConvKernel *recordFor(const Kernel &kernel, ConvOp) { return kernel.conv ? &*kernel.conv : nullptr; }
const MatmulKernel *recordFor(const Kernel &kernel, MatmulOp) { return kernel.matmul ? &*kernel.matmul : nullptr; }

template <class Product>
LogicalResult choose(Product op, const Target &target) {
  for (const Kernel &kernel : kernels())
    if (const auto *record = recordFor(kernel, op)) {
      StringRef whyNot;
      if (KernelAttr chosen = record->settle(op, target, whyNot)) {
        op.setKernelAttr(chosen);
        return success();
      }
    }
  return op.emitError("internal error: no kernel computes this product");
}

} // namespace

LogicalResult chooseKernels(ModuleOp module, const Target &target) {
  bool isDone = true;
  module.walk([&](Operation *op) {
    if (auto conv = dyn_cast<ConvOp>(op); conv && isa<MemRefType>(conv.getInput().getType()))
      isDone &= succeeded(choose(conv, target));
    else if (auto matmul = dyn_cast<MatmulOp>(op); matmul && isa<MemRefType>(matmul.getLhs().getType()))
      isDone &= succeeded(choose(matmul, target));
  });
  return success(isDone);
}

} // namespace sinter
