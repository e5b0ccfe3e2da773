// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ReverseSequence: the first sequence_lens[b] entries along the time axis in reverse, the others as they are.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerReverseSequence(Op &op) {
  Tensor x = op.input(0), lengths = op.input(1);
  FailureOr<int64_t> time = op.axis(op.integer("time_axis", 0), x.rank()),
                     batch = op.axis(op.integer("batch_axis", 1), x.rank());
  if (failed(time) || failed(batch))
    return failure();
  Size steps = op.size(x, *time), lengthLimit = add(op.b, op.loc, steps, sizeOf(op.b, 1));
  return op.result(op.generate(op.sizes(x), x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    SmallVector<Value> from(at);
    Value length = nb.create<arith::IndexCastOp>(op.loc, nb.getIndexType(),
                                                 nb.create<tensor::ExtractOp>(op.loc, lengths.value, at[*batch]));
    length = nb.create<CheckIndexOp>(op.loc, nb.getIndexType(), length, toValue(nb, op.loc, lengthLimit), false);
    Value last = nb.create<arith::SubIOp>(op.loc, length, nb.create<arith::ConstantIndexOp>(op.loc, 1));
    Value mirrored = nb.create<arith::SubIOp>(op.loc, last, at[*time]);
    Value inside = nb.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, at[*time], length);
    Value place = nb.create<arith::SelectOp>(op.loc, inside, mirrored, at[*time]);
    from[*time] = nb.create<CheckIndexOp>(op.loc, nb.getIndexType(), place, toValue(nb, op.loc, steps), false);
    return nb.create<tensor::ExtractOp>(op.loc, x.value, from);
  }));
}
} // namespace

void register_reverse_sequence(Registry &registry) {
  registry.onOp(
      "ReverseSequence", {10, 28},
      "input[N,_,_*]|{batch_axis=1}[_,N,_*] sequence_lens[N] batch_axis=0|1 time_axis=0|1 batch_axis!=time_axis",
      lowerReverseSequence);
}

} // namespace sinter
