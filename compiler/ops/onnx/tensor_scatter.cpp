// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorScatter: a cache in which `update` replaces entries along the sequence axis from write_indices[batch] on, round
// the end where circular.
#include "ops/lowering.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerTensorScatter(Op &op) {
  Tensor past = op.input(0), update = op.input(1);
  FailureOr<int64_t> axis = op.axis(op.integer("axis", -2), past.rank());
  if (failed(axis))
    return failure();
  if (*axis == 0 || update.rank() != past.rank())
    return op.fail(Code::ShapeMismatch, "the sequence axis must follow the batch, and 'update' have the cache's rank");
  bool circular = op.string("mode", "linear") == "circular";
  Size length = op.size(past, *axis), count = op.size(update, *axis);
  update = neverEmpty(op, update, *axis);
  Size starts = circular ? length : add(op.b, op.loc, sub(op.b, op.loc, length, count), sizeOf(op.b, 1));
  return op.result(op.generate(op.sizes(past), past.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    Value zero = nb.create<arith::ConstantIndexOp>(op.loc, 0), start = zero;
    if (op.has(2))
      start = nb.create<arith::IndexCastOp>(op.loc, nb.getIndexType(),
                                            nb.create<tensor::ExtractOp>(op.loc, op.input(2).value, at[0]));
    start = nb.create<CheckIndexOp>(op.loc, nb.getIndexType(), start, toValue(nb, op.loc, starts), false);
    Value distance = nb.create<arith::SubIOp>(op.loc, at[*axis], start);
    auto isLess = [&](Value x, Value y) -> Value {
      return nb.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, x, y);
    };
    if (circular) {
      Value round = nb.create<arith::AddIOp>(op.loc, distance, toValue(nb, op.loc, length));
      distance = nb.create<arith::SelectOp>(op.loc, isLess(distance, zero), round, distance);
    }
    Value number = toValue(nb, op.loc, count);
    Value fresh = nb.create<arith::AndIOp>(
        op.loc, nb.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::sge, distance, zero), isLess(distance, number));
    SmallVector<Value> from(at);
    from[*axis] = nb.create<arith::SelectOp>(op.loc, fresh, distance, zero);
    Value comes = nb.create<tensor::ExtractOp>(op.loc, update.value, from),
          there = nb.create<tensor::ExtractOp>(op.loc, past.value, at);
    return nb.create<arith::SelectOp>(op.loc, fresh, comes, there);
  }));
}
} // namespace

void register_tensor_scatter(Registry &registry) {
  registry.onOp("TensorScatter", {24},
                "past_cache[A:axis,L,B*] update[A*,U,B*] U<=L write_indices[dim(past_cache,0)] mode=linear|circular",
                lowerTensorScatter);
}

} // namespace sinter
