// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text.h"

#include "conversion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace sinter {
namespace {

/// Bytes beyond which no plan goes.
constexpr int64_t mostBytes = int64_t(1) << 40;

/// The buffers stand at the function's begin, so that loops add to them in each round.
void makeBuffers(const Op &op, TextBuffers &text) {
  auto main = op.b.getInsertionBlock()->getParentOp();
  while (!isa<func::FuncOp>(main))
    main = main->getParentOp();
  OpBuilder b = OpBuilder::atBlockBegin(&cast<func::FuncOp>(main).getBody().front());
  Location loc = main->getLoc();
  auto allocate = [&](MemRefType type) {
    auto alloc = b.create<memref::AllocOp>(loc, type);
    alloc->setAttr("sinter.text", b.getUnitAttr());
    return alloc.getResult();
  };
  text.bytes = allocate(MemRefType::get({1}, b.getI8Type()));
  text.used = allocate(MemRefType::get({}, b.getI64Type()));
  b.create<memref::StoreOp>(loc, b.create<arith::ConstantOp>(loc, b.getI64IntegerAttr(0)), text.used);
}
} // namespace

SmallVector<Tensor> makeText(const Op &op, StringRef kernel, ArrayRef<Tensor> inputs,
                             ArrayRef<Op::KernelOutput> outputs, ArrayRef<NamedAttribute> params, Size strings,
                             int64_t bytesEach) {
  TextBuffers &text = op.conversion.text;
  if (!text.bytes)
    makeBuffers(op, text);
  auto range = rangeOf(strings);
  int64_t bytes;
  if (!range || llvm::MulOverflow(range->second, bytesEach, bytes))
    bytes = mostBytes;
  text.wanted = std::min(text.wanted + bytes, mostBytes);
  SmallVector<Tensor> made = op.kernel(kernel, inputs, outputs, params);
  auto call = made.front().value.getDefiningOp<KernelOp>();
  call.getInitsMutable().append({text.used, text.bytes});
  call.setSignedness((call.getSignedness() + "ss").str());
  return made;
}

ElementType widestNumber(ElementType type) {
  return isFloat(type)                                          ? ElementType::Double
         : isUnsignedInteger(type) || type == ElementType::Bool ? ElementType::UInt64
                                                                : ElementType::Int64;
}

Tensor textOfNumbers(const Op &op, Tensor x, std::optional<int64_t> places) {
  int64_t mostBytes = 24; // of -9223372036854775808, and of -1.2345678e+308
  if (places)
    mostBytes = *places + (x.element == ElementType::Double ? 311 : 41); // a sign, the digits of the largest, a point
  Sizes sizes = op.sizes(x);
  Size all = product(op.b, op.loc, sizes);
  Tensor line = op.reshape(op.cast(x, widestNumber(x.element)), {all});
  Tensor made = makeText(op, "print_numbers", {line}, {{{all}, ElementType::String}},
                         {op.param("places", places.value_or(-1))}, all, mostBytes)[0];
  return op.reshape(made, sizes);
}

void settleTextBytes(Conversion &conversion) {
  TextBuffers &text = conversion.text;
  if (!text.bytes)
    return;
  int64_t bytes = std::max<int64_t>(text.stated.value_or(text.wanted), 1);
  text.bytes.setType(MemRefType::get({bytes}, cast<MemRefType>(text.bytes.getType()).getElementType()));
}

} // namespace sinter
