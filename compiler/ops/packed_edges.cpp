// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "packed_edges.h"

using namespace mlir;

namespace sinter {

bool isPackedAtEdges(ElementType type) { return type != ElementType::Bool && bitWidth(type) > 0 && bitWidth(type) < 8; }

Size packedBytes(const Tensors &t, ArrayRef<Size> sizes, ElementType element) {
  return ceilDiv(t.b, t.loc, product(t.b, t.loc, sizes), 8 / bitWidth(element));
}

Tensor unpackBytes(const Tensors &t, Value bytes, ArrayRef<Size> sizes, ElementType element) {
  int64_t bits = bitWidth(element), perByte = 8 / bits;
  return t.generate(sizes, element, [&](OpBuilder &b, ValueRange at) -> Value {
    auto constant = [&](int64_t value) -> Value { return b.create<arith::ConstantIndexOp>(t.loc, value); };
    Value place = constant(0);
    for (auto [size, coordinate] : llvm::zip(sizes, at))
      place =
          b.create<arith::AddIOp>(t.loc, b.create<arith::MulIOp>(t.loc, place, toValue(b, t.loc, size)), coordinate);
    Value byte = b.create<tensor::ExtractOp>(t.loc, bytes,
                                             ValueRange{b.create<arith::DivUIOp>(t.loc, place, constant(perByte))});
    // Moved to the top and back down, which extends by the sign or by zeros.
    Value part = b.create<arith::RemUIOp>(t.loc, place, constant(perByte));
    Value left =
        b.create<arith::SubIOp>(t.loc, constant(8 - bits), b.create<arith::MulIOp>(t.loc, part, constant(bits)));
    Value top = b.create<arith::ShLIOp>(t.loc, byte, b.create<arith::IndexCastOp>(t.loc, b.getI8Type(), left));
    Value down = b.create<arith::ConstantOp>(t.loc, b.getI8IntegerAttr(static_cast<int8_t>(8 - bits)));
    bool isSigned = isInteger(element) && !isUnsignedInteger(element);
    return isSigned ? b.create<arith::ShRSIOp>(t.loc, top, down).getResult()
                    : b.create<arith::ShRUIOp>(t.loc, top, down).getResult();
  });
}

Value packBytes(const Tensors &t, Tensor x) {
  int64_t bits = bitWidth(x.element), perByte = 8 / bits;
  Sizes sizes = t.sizes(x);
  Size total = product(t.b, t.loc, sizes);
  Tensor flat = t.reshape(x, {total});
  bool even = constantOf(total) && *constantOf(total) % perByte == 0;
  Tensor packed =
      t.generate({packedBytes(t, sizes, x.element)}, ElementType::UInt8, [&](OpBuilder &b, ValueRange at) -> Value {
        auto constant = [&](int64_t value) -> Value { return b.create<arith::ConstantIndexOp>(t.loc, value); };
        auto byteOf = [&](int64_t value) -> Value {
          return b.create<arith::ConstantOp>(t.loc, b.getI8IntegerAttr(static_cast<int8_t>(value)));
        };
        Value first = b.create<arith::MulIOp>(t.loc, at[0], constant(perByte)), byte = byteOf(0);
        for (int64_t i = 0; i < perByte; ++i) {
          Value place = b.create<arith::AddIOp>(t.loc, first, constant(i)), inside;
          if (!even) { // behind the last element the byte is filled with zeros
            inside = b.create<arith::CmpIOp>(t.loc, arith::CmpIPredicate::ult, place, toValue(b, t.loc, total));
            place = b.create<arith::SelectOp>(t.loc, inside, place, constant(0));
          }
          Value element = b.create<tensor::ExtractOp>(t.loc, flat.value, place);
          if (inside)
            element = b.create<arith::SelectOp>(t.loc, inside, element, byteOf(0));
          Value low = b.create<arith::AndIOp>(t.loc, element, byteOf((1 << bits) - 1));
          byte = b.create<arith::OrIOp>(t.loc, byte, b.create<arith::ShLIOp>(t.loc, low, byteOf(i * bits)));
        }
        return byte;
      });
  return packed.value;
}

} // namespace sinter
