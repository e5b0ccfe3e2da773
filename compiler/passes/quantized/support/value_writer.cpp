// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "value_writer.h"

using namespace mlir;

namespace sinter {

Value ValueWriter::addInput(Value tensor, AffineMap map, Type type) {
  tensors.push_back(tensor);
  maps.push_back(map);
  return to.addArgument(type, loc);
}

Value ValueWriter::numbers(const Numbers &numbers, Type type) {
  if (numbers.isOne())
    return isa<FloatType>(type) ? constant(b.getFloatAttr(type, numbers.values[0]))
                                : constant(b.getIntegerAttr(type, static_cast<int64_t>(numbers.values[0])));
  const BodyInput &like = inputs[*numbers.like];
  HostTensor data = HostTensor::allocate(type, like.known->shape());
  for (auto [i, number] : llvm::enumerate(numbers.values)) {
    if (type.isF32())
      reinterpret_cast<float *>(data.mutableBytes())[i] = static_cast<float>(number);
    else if (type.isInteger(32))
      reinterpret_cast<int32_t *>(data.mutableBytes())[i] = static_cast<int32_t>(number);
    else
      reinterpret_cast<int64_t *>(data.mutableBytes())[i] = static_cast<int64_t>(number);
  }
  auto shaped = RankedTensorType::get(like.known->shape(), type);
  OpBuilder outside(owner);
  Value tensor = outside.create<arith::ConstantOp>(loc, cast<TypedAttr>(toAttribute(data, shaped)));
  return addInput(tensor, like.map, type);
}

Value ValueWriter::term(const Term &term) {
  Type f32 = b.getF32Type();
  Value real = term.atom;
  bool isInteger = term.kind == Term::Signed || term.kind == Term::Unsigned, offsetDone = term.offset.is(0);
  if (isInteger) {
    if (!offsetDone && real.getType().getIntOrFloatBitWidth() >= 32) {
      real = b.create<arith::AddIOp>(loc, real, numbers(term.offset, real.getType()));
      offsetDone = true;
    }
    real = term.kind == Term::Unsigned ? b.create<arith::UIToFPOp>(loc, f32, real).getResult()
                                       : b.create<arith::SIToFPOp>(loc, f32, real).getResult();
  }
  if (!offsetDone)
    real = b.create<arith::AddFOp>(loc, real, numbers(term.offset, f32));
  return term.factor.is(1) ? real : b.create<arith::MulFOp>(loc, real, numbers(term.factor, f32)).getResult();
}

Value ValueWriter::value(QuantizedValue x) {
  x.settle();
  Type f32 = b.getF32Type();
  Value total;
  for (const Term &part : x.terms) {
    Value written = term(part);
    total = total ? b.create<arith::AddFOp>(loc, total, written).getResult() : written;
  }
  if (!total)
    total = numbers(x.constant, f32);
  else if (!x.constant.is(0))
    total = b.create<arith::AddFOp>(loc, total, numbers(x.constant, f32));
  if (x.low)
    total = b.create<arith::MaximumFOp>(loc, total, numbers(*x.low, f32));
  if (x.high)
    total = b.create<arith::MinimumFOp>(loc, total, numbers(*x.high, f32));
  return total;
}

} // namespace sinter
