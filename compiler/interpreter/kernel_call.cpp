// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.kernel and sinter.pool: operands to host views, a call of the template, results. Kernels: kernels/*.cpp, found
// at configure time.
#include "kernel_call.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace sinter {

#define SINTER_KERNEL_FILE(name) bool interpret_##name(KernelCall &call);
#include "interpreted_kernels.inc"
#undef SINTER_KERNEL_FILE

KernelFn findKernel(StringRef name) {
  static const llvm::StringMap<KernelFn> kernels = {
#define SINTER_KERNEL_FILE(name) {#name, interpret_##name},
#include "interpreted_kernels.inc"
#undef SINTER_KERNEL_FILE
  };
  return kernels.lookup(name);
}

int64_t KernelCall::integer(StringRef name) const {
  auto value = call.params.getAs<IntegerAttr>(name);
  return value ? value.getInt() : 0;
}
bool KernelCall::flag(StringRef name) const {
  auto value = call.params.getAs<BoolAttr>(name);
  return value && value.getValue();
}
double KernelCall::real(StringRef name) const {
  auto value = call.params.getAs<FloatAttr>(name);
  return value ? value.getValueAsDouble() : 0;
}
const int64_t *KernelCall::integers(StringRef name) const {
  auto value = call.params.getAs<DenseI64ArrayAttr>(name);
  return value ? value.asArrayRef().data() : nullptr;
}

void KernelCall::widenIndices(size_t i) {
  HostTensor &indices = inputs[i];
  if (indices.kind() == ElementKind::I64 || !isIntegerKind(indices.kind()))
    return;
  HostTensor wide = HostTensor::allocate(IntegerType::get(call.params.getContext(), 64), indices.shape());
  findConversion(indices.kind(), ElementKind::I64, !isUnsigned(i))(indices.bytes(), wide.mutableBytes(),
                                                                   static_cast<size_t>(indices.size()));
  indices = std::move(wide);
}

template <class OpTy>
static bool runKernel(Engine &engine, OpTy op) {
  KernelCall call(*templateCallOf(op));
  KernelFn kernel = findKernel(call.call.name);
  if (!kernel)
    return false;
  int64_t points = 0;
  for (Value input : call.call.inputs) {
    std::optional<HostTensor> tensor = engine.get(input);
    if (!tensor)
      return false;
    points += tensor->size();
    call.inputs.push_back(tensor->aligned());
  }
  for (Value init : call.call.inits) {
    std::optional<HostTensor> tensor = engine.own(init);
    if (!tensor)
      return false;
    points += tensor->size();
    call.outputs.push_back(std::move(*tensor));
  }
  if (!engine.spend(points))
    return false;
  if (!kernel(call))
    return call.refused && engine.refuse();
  for (auto [result, output] : llvm::zip(op.getResults(), call.outputs))
    engine.set(result, std::move(output));
  return true;
}

void addKernelHandlers(HandlerTable &table) {
  addHandler<KernelOp, runKernel<KernelOp>>(table);
  addHandler<PoolOp, runKernel<PoolOp>>(table);
}

} // namespace sinter
