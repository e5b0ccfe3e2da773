// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass io-in-arena (--io-in-arena): the caller's buffers become allocations with the attribute sinter.input or
// sinter.output, which the plan places like any other; liveness.cpp knows that an input is there from the call's begin
// and an output to its end. An input that nothing reads has a place too, since callers write all inputs. State lives
// from call to call and stays the caller's.
#include "passes.h"

#include "ir/element_type.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace sinter {
namespace {

/// The most bytes that an input can have, by its description (sinter.inputs); nothing where that says too little, or
/// where they are more than any plan holds.
std::optional<int64_t> inputBytesOf(DictionaryAttr input, DictionaryAttr bounds) {
  auto element = input.getAs<IntegerAttr>("element");
  auto dims = input.getAs<ArrayAttr>("dims");
  if (!element || !dims)
    return std::nullopt;
  auto type = static_cast<ElementType>(element.getInt());
  unsigned bits = type == ElementType::String ? 128 : std::max(bitWidth(type), 1u);
  int64_t perByte = bits < 8 && type != ElementType::Bool ? 8 / bits : 1, count = 1;
  for (Attribute dim : dims) {
    auto fixed = dyn_cast<IntegerAttr>(dim);
    auto bound =
        fixed || !bounds ? DenseI64ArrayAttr() : bounds.getAs<DenseI64ArrayAttr>(cast<StringAttr>(dim).getValue());
    if ((!fixed && !bound) || llvm::MulOverflow(count, fixed ? fixed.getInt() : bound[1], count))
      return std::nullopt;
  }
  int64_t bytes;
  if (llvm::MulOverflow(llvm::divideCeilSigned(count, perByte), static_cast<int64_t>(std::max(bits / 8, 1u)), bytes))
    return std::nullopt;
  return bytes;
}

/// Allocations for inputs that are neither read (`isKnown`) nor state.
void allocateUnread(func::FuncOp function, llvm::function_ref<bool(uint64_t)> isKnown) {
  auto inputs = function->getAttrOfType<ArrayAttr>("sinter.inputs");
  auto bounds = function->getAttrOfType<DictionaryAttr>("sinter.dim_bounds");
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  for (auto [index, input] : llvm::enumerate(inputs ? inputs.getValue() : ArrayRef<Attribute>())) {
    auto description = cast<DictionaryAttr>(input);
    std::optional<int64_t> bytes = inputBytesOf(description, bounds);
    if (isKnown(index) || description.contains("state") || !bytes)
      continue;
    auto alloc = builder.create<memref::AllocOp>(function.getLoc(), MemRefType::get(*bytes, builder.getI8Type()));
    alloc->setAttr("sinter.input", builder.getI64IntegerAttr(static_cast<int64_t>(index)));
  }
}

} // namespace

LogicalResult ioInArena(ModuleOp module) {
  if (!module->hasAttr("sinter.io_in_arena"))
    return success();
  llvm::DenseSet<uint64_t> states;
  DenseMap<uint64_t, Value> inputs; // one allocation for all readers of an input
  module.walk([&](InputOp op) {
    if (op.getState())
      states.insert(op.getIndex());
  });
  auto allocate = [](auto op, StringRef attribute) {
    OpBuilder builder(op);
    auto alloc = builder.create<memref::AllocOp>(op.getLoc(), cast<MemRefType>(op.getType()), op.getSizes());
    alloc->setAttr(attribute, builder.getI64IntegerAttr(static_cast<int64_t>(op.getIndex())));
    return alloc.getResult();
  };
  module.walk([&](Operation *op) {
    if (auto input = dyn_cast<InputOp>(op)) {
      if (states.contains(input.getIndex()))
        return;
      Value &buffer = inputs[input.getIndex()];
      if (!buffer)
        buffer = allocate(input, "sinter.input");
      input.replaceAllUsesWith(buffer);
      input.erase();
    } else if (auto output = dyn_cast<OutputOp>(op)) {
      output.replaceAllUsesWith(allocate(output, "sinter.output"));
      output.erase();
    }
  });
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (!function.isDeclaration())
      allocateUnread(function, [&](uint64_t i) { return inputs.contains(i) || states.contains(i); });
  return success();
}

} // namespace sinter
