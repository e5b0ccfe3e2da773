// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ReduceLogSumExp: log(sum(exp(x))), shifted by the maximum so that nothing overflows.
#include "ops/math.h"
#include "ops/reduction_axes.h"

#include <limits>

using namespace mlir;

namespace sinter {

void register_reduce_log_sum_exp(Registry &registry) {
  registry.onOp(
      "ReduceLogSumExp", {1, 11, 13, 18, 28},
      "data[_*] axes[_] -rank(data)<=value(axes)<rank(data) keepdims=0|1 noop_with_empty_axes=0|1", [](Op &op) {
        FailureOr<ReductionAxes> axes = ReductionAxes::of(op, 18);
        if (failed(axes))
          return failure();
        Tensor x = op.input(0);
        ElementType type = isNarrowFloat(x.element) ? ElementType::Float
                           : isFloat(x.element)     ? x.element
                                                    : ElementType::Double;
        Tensor wide = op.cast(x, type);
        Tensor greatest = axes->fold(
            op, wide, type, [](const Scalars &s) { return s.lowest(); },
            [](const Scalars &s, Value acc, Value v) { return s.max(acc, v); });
        // An infinite maximum shifts nothing: inf - inf would be NaN.
        Tensor shift = op.elementwise({greatest}, type, [](const Scalars &s, ValueRange v) {
          Value infinite = s.compare(Compare::Equal, s.abs(v[0]), s.constant(std::numeric_limits<double>::infinity()));
          return s.select(infinite, s.constant(0), v[0]);
        });
        Tensor shifted = op.elementwise({wide, shift}, type,
                                        [](const Scalars &s, ValueRange v) { return exp(s, s.sub(v[0], v[1])); });
        Tensor sum = axes->fold(
            op, shifted, type, [](const Scalars &s) { return s.constant(0); },
            [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); });
        Tensor y = op.elementwise({sum, shift}, x.element, [&](const Scalars &s, ValueRange v) {
          return s.castTo(x.element, s.add(log(s, v[0]), v[1]));
        });
        return op.result(axes->result(op, y));
      });
}

} // namespace sinter
