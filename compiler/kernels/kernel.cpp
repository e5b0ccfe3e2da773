// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel.h"

using namespace mlir;

namespace sinter {

#define SINTER_CONTRACTION_KERNEL(name) Kernel name##_kernel();
#include "contraction_kernels.inc"
#undef SINTER_CONTRACTION_KERNEL

ArrayRef<Kernel> kernels() {
  static const std::vector<Kernel> all = [] {
    std::vector<Kernel> made = {
#define SINTER_CONTRACTION_KERNEL(name) name##_kernel(),
#include "contraction_kernels.inc"
#undef SINTER_CONTRACTION_KERNEL
    };
    llvm::stable_sort(made, [](const Kernel &a, const Kernel &b) { return a.rank < b.rank; });
    return made;
  }();
  return all;
}

const Kernel *kernelNamed(StringRef name) {
  const auto *found = llvm::find_if(kernels(), [&](const Kernel &kernel) { return kernel.name == name; });
  return found == kernels().end() ? nullptr : found;
}

const ConvKernel *kernelOf(ConvOp op) {
  const Kernel *kernel = op.getKernelAttr() ? kernelNamed(op.getKernelAttr().getName()) : nullptr;
  return kernel && kernel->conv ? &*kernel->conv : nullptr;
}
const MatmulKernel *kernelOf(MatmulOp op) {
  const Kernel *kernel = op.getKernelAttr() ? kernelNamed(op.getKernelAttr().getName()) : nullptr;
  return kernel && kernel->matmul ? &*kernel->matmul : nullptr;
}
KernelAttr chosenKernel(KernelOp op) { return op->getAttrOfType<KernelAttr>("chosen"); }
const TemplateKernel *kernelOf(KernelOp op) {
  KernelAttr chosen = chosenKernel(op);
  const Kernel *kernel = chosen ? kernelNamed(chosen.getName()) : nullptr;
  return kernel && kernel->ofTemplate ? &*kernel->ofTemplate : nullptr;
}

template <class Contraction>
static bool recordTakesRequantize(Contraction op, const Target &target) {
  const auto *record = kernelOf(op);
  return record && record->takesRequantize && record->takesRequantize(target);
}
bool takesRequantize(Operation *contraction, const Target &target) {
  if (auto conv = dyn_cast<ConvOp>(contraction))
    return recordTakesRequantize(conv, target);
  auto matmul = dyn_cast<MatmulOp>(contraction);
  return matmul && recordTakesRequantize(matmul, target);
}

KernelAttr without(KernelAttr kernel, StringRef param) {
  NamedAttrList params(kernel.getParams());
  params.erase(param);
  return KernelAttr::get(kernel.getContext(), kernel.getName(), params.getDictionary(kernel.getContext()));
}

std::optional<KernelOrder> orderOf(KernelAttr attribute) {
  const Kernel *kernel = attribute ? kernelNamed(attribute.getName()) : nullptr;
  return kernel && kernel->conv && kernel->conv->order ? kernel->conv->order(attribute) : std::nullopt;
}

} // namespace sinter
