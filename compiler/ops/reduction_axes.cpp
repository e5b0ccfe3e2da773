// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reduction_axes.h"

using namespace mlir;

namespace sinter {

FailureOr<SmallVector<int64_t>> reductionAxes(Op &op, int64_t operandSince) {
  int64_t rank = op.input(0).rank();
  SmallVector<int64_t> given = op.integers("axes");
  bool isEmptyOperand = op.has(1) && op.input(1).type().hasStaticShape() && op.input(1).type().getNumElements() == 0;
  if (op.since >= operandSince && op.has(1) && !isEmptyOperand) {
    std::optional<SmallVector<int64_t>> values = op.constantIntegers(1);
    if (!values)
      return op.fail(Code::ShapeNotConstant, "'axes' of " + op.node.getOpType() + " is not constant",
                     "export the model with constant axes");
    given = *values;
  }
  if (given.empty() && !op.integer("noop_with_empty_axes"))
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  return op.axes(given, rank);
}

Size elementCount(const Tensors &t, Tensor x, ArrayRef<int64_t> axes) {
  Size count = sizeOf(t.b, 1);
  for (int64_t axis : axes)
    count = mul(t.b, t.loc, count, t.size(x, axis));
  return count;
}

Value reducedCount(const Scalars &s, Size count) {
  if (std::optional<int64_t> fixed = constantOf(count))
    return s.integer(*fixed);
  Value wide = s.b.create<arith::IndexCastOp>(s.loc, s.b.getI64Type(), toValue(s.b, s.loc, count));
  return Scalars{s.b, s.loc, ElementType::Int64}.castTo(s.type, wide);
}

} // namespace sinter
