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
  Size starts = circular ? length : add(op.b, op.loc, sub(op.b, op.loc, length, count), sizeOf(op.b, 1));
  // Where each element of the update goes: a scatter writes these alone, in place where the cache is a state.
  Tensor places = op.generate(op.sizes(update), ElementType::Int64, [&](OpBuilder &nb, ValueRange at) -> Value {
    Value start = nb.create<arith::ConstantIndexOp>(op.loc, 0);
    if (op.has(2))
      start = nb.create<arith::IndexCastOp>(op.loc, nb.getIndexType(),
                                            nb.create<tensor::ExtractOp>(op.loc, op.input(2).value, at[0]));
    start = nb.create<CheckIndexOp>(op.loc, nb.getIndexType(), start, toValue(nb, op.loc, starts), false);
    Value place = nb.create<arith::AddIOp>(op.loc, start, at[*axis]);
    if (circular) {
      Value all = toValue(nb, op.loc, length),
            isBehind = nb.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::sge, place, all),
            round = nb.create<arith::SubIOp>(op.loc, place, all);
      place = nb.create<arith::SelectOp>(op.loc, isBehind, round, place);
    }
    return nb.create<arith::IndexCastOp>(op.loc, nb.getI64Type(), place);
  });
  auto made = op.call("ScatterElements", 18, {past, places, update}, {op.param("axis", *axis)});
  if (failed(made))
    return failure();
  return op.result((*made)[0]);
}
} // namespace

void register_tensor_scatter(Registry &registry) {
  registry.onOp("TensorScatter", {24},
                "past_cache[A:axis,L,B*] update[A*,U,B*] U<=L write_indices[dim(past_cache,0)] mode=linear|circular",
                lowerTensorScatter);
}

} // namespace sinter
