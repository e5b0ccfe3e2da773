// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tensor_math.h"

using namespace mlir;

namespace sinter {

Tensor sumOf(const Tensors &t, ArrayRef<Tensor> terms) {
  return t.elementwise(terms, terms.front().element, [](const Scalars &s, ValueRange v) {
    Value sum = v[0];
    for (Value x : v.drop_front())
      sum = s.add(sum, x);
    return sum;
  });
}

Tensor squaredDistances(const Op &op, Tensor a, Tensor b) {
  Tensor squares =
      op.elementwise({op.unsqueeze(a, 1), op.unsqueeze(b, 0)}, a.element, [](const Scalars &s, ValueRange v) {
        Value apart = s.sub(v[0], v[1]);
        return s.mul(apart, apart);
      });
  return op.reduce(
      squares, 2, false, a.element, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); });
}

Tensor entryOf(const Tensors &t, Tensor x, int64_t axis, Size index) {
  Sizes sizes = t.sizes(x), offsets(sizes.size(), sizeOf(t.b, 0)), ones(sizes.size(), sizeOf(t.b, 1)), kept = sizes;
  offsets[axis] = index;
  sizes[axis] = sizeOf(t.b, 1);
  kept.erase(kept.begin() + axis);
  auto type = RankedTensorType::get(staticShape(kept), x.type().getElementType());
  return {t.b.create<tensor::ExtractSliceOp>(t.loc, type, x.value, offsets, sizes, ones), x.element};
}

Tensor partOf(const Op &op, Tensor x, int64_t axis, Size first, Size size) {
  Sizes offsets(x.rank(), sizeOf(op.b, 0)), ones(x.rank(), sizeOf(op.b, 1)), sizes = op.sizes(x);
  offsets[axis] = first;
  sizes[axis] = size;
  return op.slice(x, offsets, sizes, ones);
}

Tensor splitHeads(const Op &op, Tensor x, int64_t heads) {
  Sizes s = op.sizes(x);
  return op.transpose(op.reshape(x, {s[0], s[1], sizeOf(op.b, heads), floorDiv(op.b, op.loc, s[2], heads)}),
                      {0, 2, 1, 3});
}

Tensor mergedHeads(const Op &op, Tensor x) {
  Sizes s = op.sizes(x);
  return op.reshape(op.transpose(x, {0, 2, 1, 3}), {s[0], s[2], mul(op.b, op.loc, s[1], s[3])});
}

} // namespace sinter
