// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random.h"

#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace sinter {

uint64_t seedOf(Op &op) {
  if (auto real = dyn_cast_or_null<FloatAttr>(op.attribute("seed")))
    return llvm::bit_cast<uint64_t>(real.getValueAsDouble());
  if (op.hasAttribute("seed"))
    return static_cast<uint64_t>(op.integer("seed"));
  std::string name;
  llvm::raw_string_ostream(name) << op.loc;
  return llvm::xxh3_64bits(name);
}

namespace {
// SplitMix64: the state after `counter` steps is known without taking them.
constexpr uint64_t splitMixStep = 0x9e3779b97f4a7c15;

Value constant(const Scalars &s, uint64_t value) {
  return s.b.create<arith::ConstantOp>(s.loc, IntegerAttr::get(s.b.getI64Type(), APInt(64, value)));
}

/// The number behind the state `start`, an i64, as many steps on as the element's place says.
Value uniformFrom(const Scalars &s, Value start, ArrayRef<Size> sizes, ValueRange coordinates) {
  OpBuilder &b = s.b;
  Location loc = s.loc;
  auto mixed = [&](Value x, int64_t shift, uint64_t factor) -> Value {
    Value folded = b.create<arith::XOrIOp>(loc, x, b.create<arith::ShRUIOp>(loc, x, constant(s, shift)));
    return factor ? b.create<arith::MulIOp>(loc, folded, constant(s, factor)).getResult() : folded;
  };
  Value place = b.create<arith::ConstantIndexOp>(loc, 0);
  for (auto [size, coordinate] : llvm::zip(sizes, coordinates))
    place = b.create<arith::AddIOp>(loc, b.create<arith::MulIOp>(loc, place, toValue(b, loc, size)), coordinate);
  Value counter = b.create<arith::IndexCastOp>(loc, b.getI64Type(), place);
  Value x = b.create<arith::AddIOp>(loc, b.create<arith::MulIOp>(loc, counter, constant(s, splitMixStep)), start);
  x = mixed(mixed(mixed(x, 30, 0xbf58476d1ce4e5b9), 27, 0x94d049bb133111eb), 31, 0);
  // As many bits as the type holds exactly, so that 1 is never reached.
  unsigned bits = s.type == ElementType::Double ? 53 : 24;
  Value top = b.create<arith::ShRUIOp>(loc, x, constant(s, 64 - bits));
  ElementType type = s.type == ElementType::Double ? ElementType::Double : ElementType::Float;
  Scalars real{b, loc, type};
  return real.mul(Scalars{b, loc, ElementType::Int64}.castTo(type, top),
                  real.constant(1.0 / static_cast<double>(1ull << bits)));
}
} // namespace

Value uniformAt(const Scalars &s, uint64_t seed, ArrayRef<Size> sizes, ValueRange coordinates, uint64_t stream) {
  return uniformFrom(s, constant(s, (seed + stream + 1) * splitMixStep), sizes, coordinates);
}

Value uniformAt(const Scalars &s, Value seed, ArrayRef<Size> sizes, ValueRange coordinates) {
  Value next = s.b.create<arith::AddIOp>(s.loc, seed, constant(s, 1));
  return uniformFrom(s, s.b.create<arith::MulIOp>(s.loc, next, constant(s, splitMixStep)), sizes, coordinates);
}

} // namespace sinter
