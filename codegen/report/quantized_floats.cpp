// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The float tensors in memory between the first quantization and the last dequantization, each with the reason why it
// is no tensor of integers: who reads it, or makes it.
#include "codegen/codegen.h"
#include "codegen/report/report.h"
#include "ir/template_call.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace sinter {

Value bufferOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      value = view.getViewSource();
    else if (auto view = dyn_cast<memref::TransposeOp>(op)) // a view too, though MLIR does not say so
      value = view.getIn();
    else
      break;
  }
  return value;
}

namespace {
bool isFloat(Value value) { return isa<FloatType>(cast<MemRefType>(value.getType()).getElementType()); }

/// Sums of elements at places from a table, with weights: what a linear or cubic Resize becomes (ops/resample.h).
bool isInterpolation(Operation *op) {
  bool isWeighted = false;
  op->walk([&](arith::MulFOp product) {
    if (auto loops = product->getParentOfType<linalg::GenericOp>(); !loops || loops.getNumReductionLoops() == 0)
      return;
    isWeighted |= product.getRhs().getDefiningOp<memref::LoadOp>() && isa<BlockArgument>(product.getLhs());
    isWeighted |= product.getLhs().getDefiningOp<memref::LoadOp>() && isa<BlockArgument>(product.getRhs());
  });
  return isWeighted;
}

/// As an input, or element by element at places of its own.
bool reads(Operation *op, Value buffer) {
  if (llvm::any_of(cast<DestinationStyleOpInterface>(op).getDpsInputs(),
                   [&](Value input) { return bufferOf(input) == buffer; }))
    return true;
  bool isLoaded = false;
  op->walk([&](memref::LoadOp load) { isLoaded |= bufferOf(load.getMemRef()) == buffer; });
  return isLoaded;
}

bool writes(Operation *op, Value buffer) {
  return llvm::any_of(cast<DestinationStyleOpInterface>(op).getDpsInits(),
                      [&](Value init) { return bufferOf(init) == buffer; });
}

std::string firstNodeOfCall(const PrintedCall &call) { return StringRef(call.nodes).split('\n').first.str(); }

constexpr StringRef interpolates = "interpolates in floats, as onnxruntime does";

/// Why `reader` wants floats.
std::string reasonOf(const PrintedCall &reader) {
  std::string node = firstNodeOfCall(reader);
  if (isInterpolation(reader.op))
    return node + " reads it and " + interpolates.str();
  if (std::optional<TemplateCall> call = templateCallOf(reader.op))
    return node + " reads it, whose kernel '" + call->name + "' computes in floats";
  if (isa<ConvOp, MatmulOp>(reader.op))
    return node +
           " reads it, a product whose operands are not both quantized to integers with one scale, or one per channel";
  if (reader.kind == "copy")
    return node + " reads it and moves elements whose scales differ, or not the ones of one tensor only";
  return node + " reads it, by indices or sums and not element by element";
}

/// Why a buffer that the first of these calls writes is floats: who makes it, or else who reads it first.
std::string reasonOf(Value buffer, ArrayRef<PrintedCall> calls) {
  for (const PrintedCall &call : calls) {
    if (writes(call.op, buffer) && isInterpolation(call.op))
      return firstNodeOfCall(call) + " makes it and " + interpolates.str();
    if (&call != calls.begin() && reads(call.op, buffer))
      return reasonOf(call);
  }
  return "it is not used";
}

/// The first call and the end of those between quantization and dequantization (the module names these nodes).
std::pair<size_t, size_t> quantizedPart(ArrayRef<PrintedCall> calls, const Interface &interface) {
  auto isQuantized = [](const InterfaceTensor &tensor) { return tensor.scale != 0; };
  auto module = calls.front().op->getParentOfType<ModuleOp>();
  auto marks = [&](const PrintedCall &call, StringRef attribute) {
    auto nodes = module->getAttrOfType<ArrayAttr>(attribute);
    SmallVector<StringRef> names;
    StringRef(call.nodes).split(names, '\n', -1, false);
    return nodes && llvm::any_of(nodes.getAsValueRange<StringAttr>(),
                                 [&](StringRef node) { return llvm::is_contained(names, node); });
  };
  // With --io quantized there is no node at the edge any more.
  size_t first = llvm::any_of(interface.inputs, isQuantized) ? 0 : calls.size();
  size_t last = llvm::any_of(interface.outputs, isQuantized) ? calls.size() : 0;
  for (auto [i, call] : llvm::enumerate(calls)) {
    if (first > i && marks(call, "sinter.quantizing"))
      first = i;
    if (last < i && marks(call, "sinter.dequantizing"))
      last = i;
  }
  return {first, last};
}
} // namespace

std::vector<QuantizedFloat> findQuantizedFloats(ArrayRef<PrintedCall> calls, const Interface &interface) {
  std::vector<QuantizedFloat> found;
  if (calls.empty())
    return found;
  auto [first, last] = quantizedPart(calls, interface);
  DenseSet<Value> seen; // what is filled and then summed into is one tensor
  for (size_t i = first; i < last; ++i)
    for (Value output : cast<DestinationStyleOpInterface>(calls[i].op).getDpsInits()) {
      Value buffer = bufferOf(output);
      if (!isFloat(output) || !isa_and_nonnull<ArenaOp>(buffer.getDefiningOp()) || !seen.insert(buffer).second)
        continue;
      found.push_back({i, reasonOf(buffer, calls.drop_front(i))});
    }
  return found;
}

} // namespace sinter
