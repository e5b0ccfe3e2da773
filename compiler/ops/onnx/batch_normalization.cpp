// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BatchNormalization. In inference one factor and one offset for each channel, both constant when the statistics are;
// then y = x * factor + offset. In training mode the statistics are those of the batch, and running ones are further
// outputs.
#include "ops/math.h"
#include "ops/moments.h"

using namespace mlir;

namespace sinter {

namespace {
bool isTraining(Op &op) {
  if (op.since >= 14)
    return op.integer("training_mode");
  return op.since < 7 ? !op.integer("is_test") : op.wants(1) || op.wants(2) || op.wants(3) || op.wants(4);
}

/// x * factor + offset with the statistics folded into them.
Tensor apply(Op &op, Tensor mean, Tensor variance, ElementType type) {
  Tensor x = op.input(0), scale = op.cast(op.input(1), type), bias = op.cast(op.input(2), type);
  double epsilon = op.real("epsilon");
  Tensor factor = op.elementwise({scale, variance}, type, [&](const Scalars &s, ValueRange v) {
    return s.div(v[0], sqrt(s, s.add(v[1], s.constant(epsilon))));
  });
  Tensor offset = op.elementwise({bias, mean, factor}, type,
                                 [](const Scalars &s, ValueRange v) { return s.sub(v[0], s.mul(v[1], v[2])); });
  return op.elementwise({x, alongChannels(op, factor, x.rank()), alongChannels(op, offset, x.rank())}, x.element,
                        [&](const Scalars &s, ValueRange v) {
                          Scalars wide{s.b, s.loc, type};
                          return wide.castTo(x.element, wide.add(wide.mul(s.castTo(type, v[0]), v[1]), v[2]));
                        });
}

LogicalResult trainBatchNormalization(Op &op, ElementType type) {
  Tensor x = op.cast(op.input(0), type), inputMean = op.input(3), inputVariance = op.input(4);
  SmallVector<int64_t> axes;
  for (int64_t d = 0; d < x.rank(); ++d)
    if (d != 1 && (d == 0 || inputMean.rank() == 1)) // not spatial: each element of a sample has statistics of its own
      axes.push_back(d);
  Moments m = moments(op, x, axes);
  Tensor mean = op.squeeze(m.mean, axes), variance = op.squeeze(m.variance, axes);
  double momentum = op.real("momentum");
  auto running = [&](Tensor before, Tensor now) {
    return op.elementwise({before, now}, before.element, [&](const Scalars &s, ValueRange v) {
      Scalars wide{s.b, s.loc, type};
      Value kept = wide.mul(s.castTo(type, v[0]), wide.constant(momentum));
      return wide.castTo(before.element, wide.add(kept, wide.mul(v[1], wide.constant(1 - momentum))));
    });
  };
  Tensor y = apply(op, mean, variance, type);
  return op.results({y, running(inputMean, mean), running(inputVariance, variance), op.cast(mean, inputMean.element),
                     op.cast(variance, inputVariance.element)});
}
} // namespace

void register_batch_normalization(Registry &registry) {
  registry.onOp("BatchNormalization", {1, 6, 7, 9, 14, 15},
                "X[N,C,D*]|[N] {rank(X)=1}C=1 scale[C] B[C] mean[C] var[C] input_mean[C] input_var[C] "
                "training_mode=0|1",
                [](Op &op) {
                  ElementType type = statisticsType(op.input(0).element);
                  if (isTraining(op))
                    return trainBatchNormalization(op, type);
                  return op.results({apply(op, op.cast(op.input(3), type), op.cast(op.input(4), type), type)});
                });
}

} // namespace sinter
