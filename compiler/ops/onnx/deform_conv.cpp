// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DeformConv in two dims: bilinear samples at shifted places as columns, [n, c * taps, out...], and a grouped 1x1
// convolution over them.
#include "ops/norms.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"
#include "ops/spatial.h"

using namespace mlir;

namespace sinter {
namespace {

/// x at a real position of image (n, c); 0 outside.
Value bilinear(const Scalars &s, Tensor x, Value n, Value c, Value py, Value px, Size height, Size width) {
  OpBuilder &b = s.b;
  auto floorOf = [&](Value v) -> Value { return b.create<math::FloorOp>(s.loc, v); };
  Value y0 = floorOf(py), x0 = floorOf(px), fy = s.sub(py, y0), fx = s.sub(px, x0), one = s.constant(1),
        zero = s.constant(0), sum;
  Value lastY = s.sub(indexAsFloat(s, toValue(b, s.loc, height)), one),
        lastX = s.sub(indexAsFloat(s, toValue(b, s.loc, width)), one);
  for (int64_t dy = 0; dy < 2; ++dy)
    for (int64_t dx = 0; dx < 2; ++dx) {
      Value y = dy ? s.add(y0, one) : y0, xx = dx ? s.add(x0, one) : x0;
      Value weight = s.mul(dy ? fy : s.sub(one, fy), dx ? fx : s.sub(one, fx));
      auto both = [&](Value p, Value q) -> Value { return b.create<arith::AndIOp>(s.loc, p, q); };
      Value inside =
          both(both(s.compare(Compare::GreaterOrEqual, y, zero), s.compare(Compare::LessOrEqual, y, lastY)),
               both(s.compare(Compare::GreaterOrEqual, xx, zero), s.compare(Compare::LessOrEqual, xx, lastX)));
      auto indexOf = [&](Value v, Value last) -> Value {
        return b.create<arith::IndexCastOp>(s.loc, b.getIndexType(),
                                            s.castTo(ElementType::Int64, s.max(s.min(v, last), zero)));
      };
      Value read = b.create<tensor::ExtractOp>(s.loc, x.value, ValueRange{n, c, indexOf(y, lastY), indexOf(xx, lastX)});
      Value term = s.mul(weight, s.select(inside, widen(b, s.loc, x.element, read), zero));
      sum = sum ? s.add(sum, term) : term;
    }
  return sum;
}

LogicalResult lowerDeformConv(Op &op) {
  Tensor x = op.input(0), w = op.input(1), offset = op.input(2), mask = op.inputOrNone(4);
  if (x.rank() != 4 || w.rank() != 4 || offset.rank() != 4)
    return op.unsupported("DeformConv over other than two spatial dims");
  std::optional<int64_t> channels = constantOf(op.size(x, 1)), kh = constantOf(op.size(w, 2)),
                         kw = constantOf(op.size(w, 3));
  int64_t group = op.integer("group", 1), offsetGroup = op.integer("offset_group", 1);
  if (!channels || !kh || !kw)
    return op.fail(Code::ShapeNotConstant, "the channels or the kernel's dims are not known at compile time",
                   "give the dims that they depend on: --dim NAME=N");
  if (group < 1 || offsetGroup < 1 || *channels % group || *channels % offsetGroup)
    return op.fail(Code::ShapeMismatch, "channels, kernel and groups of DeformConv do not fit together");
  SmallVector<int64_t> ones(2, 1), zeros(4, 0);
  SmallVector<int64_t> strides = op.integers("strides", ones), dilations = op.integers("dilations", ones),
                       pads = op.integers("pads", zeros);
  Sizes own = op.sizes(x), places = op.sizes(offset);
  int64_t taps = *kh * *kw, perOffset = *channels / offsetGroup;
  if (constantOf(places[1]).value_or(offsetGroup * taps * 2) != offsetGroup * taps * 2)
    return op.fail(Code::ShapeMismatch, "'offset' does not have two channels per tap and offset group");
  for (int64_t d = 0; d < 2; ++d) { // one offset for each place of the window
    int64_t extent = ((d ? *kw : *kh) - 1) * dilations[d] + 1;
    Size room = add(op.b, op.loc, own[2 + d], sizeOf(op.b, pads[d] + pads[2 + d] - extent));
    Size steps = add(op.b, op.loc, floorDiv(op.b, op.loc, room, strides[d]), sizeOf(op.b, 1));
    if (failed(mustBeEqual(op, steps, places[2 + d], "'offset' does not have one entry for each place of the window")))
      return failure();
  }
  x = neverEmpty(op, x, {2, 3});
  Tensor columns = op.generate(
      {own[0], own[1], sizeOf(op.b, taps), places[2], places[3]}, x.element,
      [&](OpBuilder &nb, ValueRange at) -> Value {
        Scalars s{nb, op.loc, computedAs(x.element)};
        auto constant = [&](int64_t value) -> Value { return nb.create<arith::ConstantIndexOp>(op.loc, value); };
        auto times = [&](Value v, int64_t k) -> Value { return nb.create<arith::MulIOp>(op.loc, v, constant(k)); };
        auto plus = [&](Value v, Value u) -> Value { return nb.create<arith::AddIOp>(op.loc, v, u); };
        Value groupOf = nb.create<arith::DivUIOp>(op.loc, at[1], constant(perOffset));
        Value tap = plus(times(groupOf, taps), at[2]);
        auto read = [&](Tensor t, Value channel) -> Value {
          return widen(nb, op.loc, t.element,
                       nb.create<tensor::ExtractOp>(op.loc, t.value, ValueRange{at[0], channel, at[3], at[4]}));
        };
        Value ky = nb.create<arith::DivUIOp>(op.loc, at[2], constant(*kw)),
              kx = nb.create<arith::RemUIOp>(op.loc, at[2], constant(*kw));
        auto position = [&](Value o, Value k, int64_t d) {
          Value fixed = plus(plus(times(o, strides[d]), times(k, dilations[d])), constant(-pads[d]));
          return s.add(indexAsFloat(s, fixed), read(offset, plus(times(tap, 2), constant(d))));
        };
        Value sample = bilinear(s, x, at[0], at[1], position(at[3], ky, 0), position(at[4], kx, 1), own[2], own[3]);
        return narrow(nb, op.loc, x.element, mask ? s.mul(sample, read(mask, tap)) : sample);
      });
  Size all = mul(op.b, op.loc, own[1], sizeOf(op.b, taps)),
       perGroup = mul(op.b, op.loc, op.size(w, 1), sizeOf(op.b, taps)), one = sizeOf(op.b, 1);
  columns = op.reshape(columns, {own[0], all, places[2], places[3]});
  Tensor filter = op.reshape(w, {op.size(w, 0), perGroup, one, one});
  Window window;
  window.strides = window.dilations = {1, 1};
  window.kernel = sizesOf(op.b, {1, 1});
  window.low = window.high = sizesOf(op.b, {0, 0});
  window.outputs = {places[2], places[3]};
  return op.result(
      convolveWithBias(op, columns, filter, window, group, op.has(3) ? std::optional(op.input(3)) : std::nullopt));
}
} // namespace

void register_deform_conv(Registry &registry) {
  registry.onOp(
      "DeformConv", {19, 22},
      "X[N,C,_,_] W[M,C/group,K,L] K>=1 L>=1 offset[N,offset_group*K*L*2,P,Q] B[M] mask[N,offset_group*K*L,P,Q] "
      "group>=1 "
      "offset_group>=1 C%offset_group=0 M%group=0 strides[2] strides>=1 dilations[2] dilations>=1 pads[4] pads>=0 "
      "kernel_shape[2] at(kernel_shape,0)=K at(kernel_shape,1)=L",
      lowerDeformConv);
}

} // namespace sinter
