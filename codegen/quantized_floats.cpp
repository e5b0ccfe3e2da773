// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The float tensors in memory between the first quantization and the last dequantization, each with the reason why it
// is no tensor of integers: who reads it.
#include "codegen.h"
#include "dialect.h"
#include "report.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace sinter {

Value bufferOf(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

namespace {
bool isFloat(Value value) { return isa<FloatType>(cast<MemRefType>(value.getType()).getElementType()); }

/// Why `reader` wants floats.
std::string reasonOf(const KernelCall &reader) {
  std::string node = StringRef(reader.nodes).split('\n').first.str();
  if (auto kernel = dyn_cast<KernelOp>(reader.op))
    return node + " reads it, whose kernel '" + kernel.getKernel().str() + "' computes in floats";
  if (isa<ConvOp, MatmulOp>(reader.op))
    return node +
           " reads it, a product whose operands are not both quantized to integers with one scale, or one per channel";
  if (reader.kind == "copy")
    return node + " reads it and moves elements whose scales differ, or not the ones of one tensor only";
  return node + " reads it, by indices or sums and not element by element";
}

/// The first call and the end of those between quantization and dequantization (the module names these nodes).
std::pair<size_t, size_t> quantizedPart(const KernelList &kernels, const Interface &interface) {
  auto isQuantized = [](const InterfaceTensor &tensor) { return tensor.scale != 0; };
  auto module = kernels.calls.front().op->getParentOfType<ModuleOp>();
  auto marks = [&](const KernelCall &call, StringRef attribute) {
    auto nodes = module->getAttrOfType<ArrayAttr>(attribute);
    SmallVector<StringRef> names;
    StringRef(call.nodes).split(names, '\n', -1, false);
    return nodes && llvm::any_of(nodes.getAsValueRange<StringAttr>(),
                                 [&](StringRef node) { return llvm::is_contained(names, node); });
  };
  // With --io quantized there is no node at the edge any more.
  size_t first = llvm::any_of(interface.inputs, isQuantized) ? 0 : kernels.calls.size();
  size_t last = llvm::any_of(interface.outputs, isQuantized) ? kernels.calls.size() : 0;
  for (auto [i, call] : llvm::enumerate(kernels.calls)) {
    if (first > i && marks(call, "sinter.quantizing"))
      first = i;
    if (last < i && marks(call, "sinter.dequantizing"))
      last = i;
  }
  return {first, last};
}
} // namespace

std::vector<QuantizedFloat> findQuantizedFloats(const KernelList &kernels, const Interface &interface) {
  std::vector<QuantizedFloat> found;
  if (kernels.calls.empty())
    return found;
  auto [first, last] = quantizedPart(kernels, interface);
  DenseSet<Value> seen; // what is filled and then summed into is one tensor
  for (size_t i = first; i < last; ++i)
    for (Value output : cast<DestinationStyleOpInterface>(kernels.calls[i].op).getDpsInits()) {
      Value buffer = bufferOf(output);
      if (!isFloat(output) || !isa_and_nonnull<ArenaOp>(buffer.getDefiningOp()) || !seen.insert(buffer).second)
        continue;
      std::string reason = "it is not used";
      for (size_t k = i + 1; k < kernels.calls.size(); ++k)
        if (llvm::any_of(cast<DestinationStyleOpInterface>(kernels.calls[k].op).getDpsInputs(),
                         [&](Value input) { return bufferOf(input) == buffer; })) {
          reason = reasonOf(kernels.calls[k]);
          break;
        }
      found.push_back({i, reason});
    }
  return found;
}

} // namespace sinter
