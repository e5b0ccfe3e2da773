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

RequantizeTerm ValueWriter::term(const Term &term) {
  RequantizeTerm written{term.atom, term.kind == Term::Unsigned, {}, {}};
  bool isWide = written.isInteger() && term.atom.getType().getIntOrFloatBitWidth() >= 32;
  if (!term.offset.is(0))
    written.bias = numbers(term.offset, isWide ? term.atom.getType() : b.getF32Type());
  if (!term.factor.is(1))
    written.factor = numbers(term.factor, b.getF32Type());
  return written;
}

Requantize ValueWriter::sum(QuantizedValue x) {
  x.settle();
  Requantize written;
  for (const Term &part : x.terms)
    written.terms.push_back(term(part));
  if (!x.constant.is(0))
    written.addend = numbers(x.constant, b.getF32Type());
  return written;
}

Value ValueWriter::value(QuantizedValue x) {
  Type f32 = b.getF32Type();
  Value total = x.terms.empty() ? numbers(x.constant, f32) : sum(x).writeSum(b, loc);
  if (x.low)
    total = b.create<arith::MaximumFOp>(loc, total, numbers(*x.low, f32));
  if (x.high)
    total = b.create<arith::MinimumFOp>(loc, total, numbers(*x.high, f32));
  return total;
}

} // namespace sinter
