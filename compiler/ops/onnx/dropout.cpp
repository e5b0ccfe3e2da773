// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dropout: nothing in inference; in training mode elements are dropped at random, the others scaled up. The second
// output says which were kept.
#include "ops/random.h"

using namespace mlir;

namespace sinter {

namespace {
LogicalResult inference(Op &op) {
  Tensor x = op.input(0), mask;
  if (op.wants(1)) {
    // The mask of versions before 10 has the input's type.
    ElementType type = op.since < 10 ? x.element : ElementType::Bool;
    Scalars s{op.b, op.loc, type};
    mask = op.filled(op.sizes(x), type, narrow(op.b, op.loc, type, s.constant(1)));
  }
  return op.results({x, mask});
}

/// `ratio` and `training` (may be null: yes) are scalars, perhaps of run time.
LogicalResult trainDropout(Op &op, Tensor ratio, Tensor training) {
  Tensor x = op.input(0);
  ElementType wide = x.element == ElementType::Double ? ElementType::Double : ElementType::Float;
  uint64_t seed = seedOf(op);
  Sizes sizes = op.sizes(x);
  Tensor threshold = op.reshape(op.cast(ratio, wide), {});
  Tensor uniform = op.generate(
      sizes, wide, [&](OpBuilder &b, ValueRange at) { return uniformAt(Scalars{b, op.loc, wide}, seed, sizes, at); });
  SmallVector<Tensor> operands{uniform, threshold};
  if (training)
    operands.push_back(op.reshape(training, {}));
  Tensor kept = op.elementwise(operands, ElementType::Bool, [&](const Scalars &s, ValueRange v) {
    Value stays = s.compare(Compare::GreaterOrEqual, v[0], v[1]);
    Value always = Scalars{s.b, s.loc, ElementType::Bool}.constant(1);
    return training ? s.select(v[2], stays, always) : stays;
  });
  operands[0] = x;
  operands.push_back(kept);
  Tensor y = op.elementwise(operands, x.element, [&](const Scalars &s, ValueRange v) {
    Scalars w{s.b, s.loc, wide};
    Value scaled = w.mul(v[0], w.div(w.constant(1), w.sub(w.constant(1), v[1])));
    Value dropped = w.select(v.back(), scaled, w.constant(0));
    return training ? w.select(v[2], dropped, v[0]) : dropped;
  });
  return op.results({y, op.since < 10 ? op.cast(kept, x.element) : kept});
}
} // namespace

void register_dropout(Registry &registry) {
  registry.onOp("Dropout", {1, 6}, "data[_*]", [](Op &op) {
    return op.integer("is_test") ? inference(op)
                                 : trainDropout(op, op.scalar(ElementType::Float, op.real("ratio", 0.5)), {});
  });
  registry.onOp("Dropout", {7, 10}, "data[_*]", inference);
  registry.onOp("Dropout", {12, 13, 22}, "data[_*] ratio[] training_mode[]", [](Op &op) {
    std::optional<SmallVector<double>> ratio = op.has(1) ? op.constantReals(1) : SmallVector<double>{0.5};
    std::optional<SmallVector<int64_t>> mode = op.has(2) ? op.constantIntegers(2) : SmallVector<int64_t>{0};
    if ((mode && !mode->front()) || (ratio && ratio->front() == 0))
      return inference(op);
    return trainDropout(op, op.inputOr(1, [&] { return op.scalar(ElementType::Float, 0.5); }),
                        mode ? Tensor() : op.input(2));
  });
}

} // namespace sinter
