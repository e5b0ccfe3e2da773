// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RandomUniform, RandomNormal, their Like forms, Bernoulli and Multinomial.
#include "ops/random.h"
#include "ops/math.h"

using namespace mlir;

namespace sinter {

namespace {
constexpr double tau = 6.283185307179586;

ElementType wideType(ElementType type) {
  return type == ElementType::Double ? ElementType::Double : ElementType::Float;
}

template <bool normal>
LogicalResult draw(Op &op, ArrayRef<Size> sizes, ElementType type) {
  uint64_t seed = seedOf(op);
  double mean = op.real("mean"), scale = op.real("scale", 1), low = op.real("low"), high = op.real("high", 1);
  return op.result(op.generate(sizes, type, [&](OpBuilder &b, ValueRange at) {
    Scalars s{b, op.loc, wideType(type)};
    Value u = uniformAt(s, seed, sizes, at), y;
    if (normal) { // Box and Muller; 1 - u is not 0
      Value radius = sqrt(s, s.mul(s.constant(-2), log(s, s.sub(s.constant(1), u))));
      Value angle = s.mul(s.constant(tau), uniformAt(s, seed, sizes, at, 1));
      y = s.add(s.constant(mean), s.mul(s.constant(scale), s.mul(radius, b.create<math::CosOp>(op.loc, angle))));
    } else {
      y = s.add(s.constant(low), s.mul(s.constant(high - low), u));
    }
    return narrow(b, op.loc, type, y);
  }));
}

template <bool normal>
LogicalResult withShape(Op &op) {
  return draw<normal>(op, sizesOf(op.b, op.integers("shape")), static_cast<ElementType>(op.integer("dtype", 1)));
}

template <bool normal>
LogicalResult like(Op &op) {
  Tensor x = op.input(0);
  ElementType type = op.hasAttribute("dtype") ? static_cast<ElementType>(op.integer("dtype")) : x.element;
  if (!isFloat(type))
    return op.unsupported("random numbers of type " + elementTypeName(type), "give 'dtype' a floating-point type");
  return draw<normal>(op, op.sizes(x), type);
}

LogicalResult bernoulli(Op &op) {
  Tensor p = op.input(0);
  ElementType type = op.hasAttribute("dtype") ? static_cast<ElementType>(op.integer("dtype")) : p.element,
              wide = wideType(p.element);
  Sizes sizes = op.sizes(p);
  uint64_t seed = seedOf(op);
  return op.result(op.generate(sizes, type, [&](OpBuilder &b, ValueRange at) {
    Scalars s{b, op.loc, wide}, out{b, op.loc, type};
    Value probability = Scalars{b, op.loc, p.element}.castTo(
        wide, widen(b, op.loc, p.element, b.create<tensor::ExtractOp>(op.loc, p.value, at)));
    Value one = s.compare(Compare::Less, uniformAt(s, seed, sizes, at), probability);
    return narrow(b, op.loc, type, out.select(one, out.constant(1), out.constant(0)));
  }));
}

/// The class whose log-probability plus Gumbel noise is greatest.
LogicalResult multinomial(Op &op) {
  Tensor x = op.input(0);
  if (x.rank() != 2)
    return op.fail(Code::ShapeMismatch, "the input has the dims [batch, classes]");
  Sizes sizes{op.size(x, 0), sizeOf(op.b, op.integer("sample_size", 1)), op.size(x, 1)};
  ElementType wide = wideType(x.element);
  uint64_t seed = seedOf(op);
  Tensor noisy = op.generate(sizes, wide, [&](OpBuilder &b, ValueRange at) {
    Scalars s{b, op.loc, wide};
    Value stored = b.create<tensor::ExtractOp>(op.loc, x.value, ValueRange{at[0], at[2]});
    Value logit = Scalars{b, op.loc, x.element}.castTo(wide, widen(b, op.loc, x.element, stored));
    Value exponential = s.neg(log(s, s.sub(s.constant(1), uniformAt(s, seed, sizes, at))));
    return s.sub(logit, log(s, exponential));
  });
  NamedAttribute attributes[] = {op.param("axis", int64_t(2)), op.param("keepdims", int64_t(0)),
                                 op.param("select_last_index", int64_t(0))};
  FailureOr<SmallVector<Tensor>> index = op.call("ArgMax", 13, noisy, attributes);
  return failed(index) ? failure() : op.result(op.cast((*index)[0], static_cast<ElementType>(op.integer("dtype", 6))));
}
} // namespace

void register_random(Registry &registry) {
  registry.onOp("RandomUniform", {1, 22}, "shape>=0 dtype=1|10|11|16", withShape<false>);
  registry.onOp("RandomNormal", {1, 22}, "shape>=0 dtype=1|10|11|16", withShape<true>);
  registry.onOp("RandomUniformLike", {1, 22}, "input[_*] dtype=1|10|11|16", like<false>);
  registry.onOp("RandomNormalLike", {1, 22}, "input[_*] dtype=1|10|11|16", like<true>);
  registry.onOp("Bernoulli", {15, 22}, "input[_*] 1<=dtype<=16 dtype!=8", bernoulli);
  registry.onOp("Multinomial", {7, 22}, "input[N,C] sample_size>=1 dtype=6|7", multinomial);
}

} // namespace sinter
