// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernel computes a contraction as its operands lie in memory: the one that its constant operand is packed for,
// where that can read the others, else of those that can the one of least rank (compiler/kernels). On buffers, because
// strides decide.
#include "passes/passes.h"

#include "ir/value_names.h"
#include "kernels/kernel.h"
#include "passes/support/choices.h"

#include <set>

using namespace mlir;

namespace sinter {
namespace {

/// The kernel as one of such a product on the target; null if it is none.
const ConvKernel *recordFor(const Kernel &kernel, ConvOp, const Target &target) {
  return kernel.conv && kernel.isForGpu == target.isGpu() ? &*kernel.conv : nullptr;
}
const MatmulKernel *recordFor(const Kernel &kernel, MatmulOp, const Target &target) {
  return kernel.matmul && kernel.isForGpu == target.isGpu() ? &*kernel.matmul : nullptr;
}

template <class Contraction>
LogicalResult choose(Contraction op, const Target &target) {
  for (const Kernel &kernel : kernels())
    if (const auto *record = recordFor(kernel, op, target)) {
      StringRef whyNot;
      if (KernelAttr chosen = record->settle(op, target, whyNot)) {
        op.setKernelAttr(chosen);
        return success();
      }
    }
  return op.emitError("internal error: no kernel computes this contraction");
}

/// "matmul y", with the names of the ONNX values that it makes.
void printHead(Operation *op, raw_ostream &out) {
  out << op->getName().stripDialect();
  std::set<std::string> names;
  for (const ValueName &name : valueNamesIn(op->getLoc()))
    names.insert(name.name);
  for (const std::string &name : names)
    out << ' ' << name;
  out << '\n';
}

template <class Contraction>
void print(Contraction op, const Target &target, raw_ostream &out) {
  printHead(op, out);
  bool isTaken = false;
  for (const Kernel &kernel : kernels())
    if (const auto *record = recordFor(kernel, op, target)) {
      StringRef whyNot;
      KernelAttr chosen = record->settle(op, target, whyNot);
      out << "  " << kernel.name << ": " << (!chosen ? whyNot : isTaken ? "could, too" : "taken");
      if (chosen && chosen.has("choice"))
        out << " (" << chosen.text("choice") << ')';
      out << '\n';
      isTaken |= static_cast<bool>(chosen);
    }
}

/// A contraction on buffers.
template <class Visit>
void forEachContraction(ModuleOp module, Visit visit) {
  module.walk([&](Operation *op) {
    if (auto conv = dyn_cast<ConvOp>(op); conv && isa<MemRefType>(conv.getInput().getType()))
      visit(conv);
    else if (auto matmul = dyn_cast<MatmulOp>(op); matmul && isa<MemRefType>(matmul.getLhs().getType()))
      visit(matmul);
  });
}

} // namespace

void printChoices(ModuleOp module, const Target &target, raw_ostream &out) {
  forEachContraction(module, [&](auto contraction) { print(contraction, target, out); });
}

LogicalResult chooseKernels(ModuleOp module, const Target &target) {
  bool isDone = true;
  forEachContraction(module, [&](auto contraction) { isDone &= succeeded(choose(contraction, target)); });
  return success(isDone);
}

} // namespace sinter
