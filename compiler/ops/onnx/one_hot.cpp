// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OneHot: on where the coordinate along the new axis is the index, off elsewhere. Negative indices count from the end;
// what is outside is off.
#include "ops/meeting.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerOneHot(Op &op) {
  Tensor indices = op.input(0), values = op.input(2);
  FailureOr<int64_t> axis = op.axis(op.integer("axis", -1), indices.rank() + 1);
  if (failed(axis))
    return failure();
  Tensor depthTensor = op.input(1);
  Size depth;
  if (std::optional<SmallVector<double>> known = op.constantReals(1); known && known->size() == 1) {
    depth = sizeOf(op.b, static_cast<int64_t>(known->front()));
  } else if (isInteger(depthTensor.element)) {
    FailureOr<Sizes> given = op.elements(1, "depth");
    if (failed(given) || given->size() != 1)
      return failed(given) ? failure() : op.fail(Code::ShapeMismatch, "'depth' is not one number");
    depth = given->front();
  } else {
    Value element = widen(op.b, op.loc, depthTensor.element, onlyElement(op.b, op.loc, depthTensor));
    Value whole = Scalars{op.b, op.loc, depthTensor.element}.castTo(ElementType::Int64, element);
    depth = op.b.create<arith::IndexCastOp>(op.loc, op.b.getIndexType(), whole).getResult();
  }
  Sizes sizes = op.sizes(indices);
  sizes.insert(sizes.begin() + *axis, depth);
  FailureOr<Sizes> bounded = boundedSizes(op, sizes);
  if (failed(bounded))
    return failure();
  depth = (*bounded)[*axis];
  return op.result(op.generate(*bounded, values.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    SmallVector<Value> place(at);
    place.erase(place.begin() + *axis);
    Scalars s{nb, op.loc, indices.element}, integers{nb, op.loc, ElementType::Int64};
    Value index = widen(nb, op.loc, indices.element, nb.create<tensor::ExtractOp>(op.loc, indices.value, place));
    index = s.castTo(ElementType::Int64, index);
    Value limit = nb.create<arith::IndexCastOp>(op.loc, nb.getI64Type(), toValue(nb, op.loc, depth));
    Value shifted = integers.add(index, limit), negative = integers.compare(Compare::Less, index, integers.constant(0));
    Value here = nb.create<arith::IndexCastOp>(op.loc, nb.getI64Type(), at[*axis]);
    Value isOn = integers.compare(Compare::Equal, integers.select(negative, shifted, index), here);
    Value on =
        nb.create<tensor::ExtractOp>(op.loc, values.value, ValueRange{nb.create<arith::ConstantIndexOp>(op.loc, 1)});
    Value off =
        nb.create<tensor::ExtractOp>(op.loc, values.value, ValueRange{nb.create<arith::ConstantIndexOp>(op.loc, 0)});
    return nb.create<arith::SelectOp>(op.loc, isOn, on, off);
  }));
}
} // namespace

void register_one_hot(Registry &registry) {
  registry.onOp("OneHot", {9, 11, 28}, "indices[_+] depth[]|[1] values[2] value(depth)>=0 axis@rank(indices)+1",
                lowerOneHot);
}

} // namespace sinter
