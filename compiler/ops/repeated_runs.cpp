// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "repeated_runs.h"

using namespace mlir;

namespace sinter {

FailureOr<Tensor> withoutRepeatedRuns(const Op &op, Tensor ids, Tensor scores, int64_t size, double least) {
  Size length = op.size(ids, 1);
  if (std::optional<int64_t> known = constantOf(length); known && *known < size)
    return scores;
  // Each run of the sequence: what stands at its end scores no more than `most`.
  Size count = maximum(op.b, op.loc, add(op.b, op.loc, length, sizeOf(op.b, 1 - size)), sizeOf(op.b, 0));
  Sizes sizes{op.size(ids, 0), count};
  auto at = [&](OpBuilder &b, Value row, Value place) -> Value {
    return b.create<tensor::ExtractOp>(op.loc, ids.value, ValueRange{row, place});
  };
  auto shifted = [&](OpBuilder &b, Value place, int64_t by) -> Value {
    return b.create<arith::AddIOp>(op.loc, place, b.create<arith::ConstantIndexOp>(op.loc, by));
  };
  auto isRepeated = [&](OpBuilder &b, ValueRange i) {
    Value same = b.create<arith::ConstantOp>(op.loc, b.getBoolAttr(true));
    for (int64_t j = 0; j < size - 1; ++j) {
      Value before = at(b, i[0], shifted(b, i[1], j));
      Value end = at(b, i[0], shifted(b, toValue(b, op.loc, length), 1 - size + j));
      same =
          b.create<arith::AndIOp>(op.loc, same, b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, before, end));
    }
    return same;
  };
  Tensor tokens = op.generate(sizes, ids.element, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, ids.element};
    return s.select(isRepeated(b, i), at(b, i[0], shifted(b, i[1], size - 1)), s.constant(0));
  });
  Tensor most = op.generate(sizes, scores.element, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, scores.element};
    return s.select(isRepeated(b, i), s.constant(least), s.highest());
  });
  NamedAttribute attributes[] = {op.param("axis", int64_t(1)),
                                 op.b.getNamedAttr("reduction", op.b.getStringAttr("min"))};
  auto y = op.call("ScatterElements", 18, {scores, tokens, most}, attributes);
  return failed(y) ? FailureOr<Tensor>(failure()) : FailureOr<Tensor>((*y)[0]);
}

} // namespace sinter
