// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IsNaN and IsInf (of either sign, or of one).
#include "ops/lowering.h"

#include <limits>

using namespace mlir;

namespace sinter {

void register_is_nan(Registry &registry) {
  registry.onOp("IsNaN", {9, 13, 20}, "X[_*]", [](Op &op) {
    return op.result(op.elementwise({op.input(0)}, ElementType::Bool, [](const Scalars &s, ValueRange v) {
      return s.compare(Compare::NotEqual, v[0], v[0]);
    }));
  });
  registry.onOp("IsInf", {10, 20}, "X[_*] detect_negative=0|1 detect_positive=0|1", [](Op &op) {
    bool negative = op.integer("detect_negative"), positive = op.integer("detect_positive");
    return op.result(op.elementwise({op.input(0)}, ElementType::Bool, [&](const Scalars &s, ValueRange v) -> Value {
      constexpr double infinity = std::numeric_limits<double>::infinity();
      if (positive && negative)
        return s.compare(Compare::Equal, s.abs(v[0]), s.constant(infinity));
      if (!positive && !negative)
        return Scalars{s.b, s.loc, ElementType::Bool}.constant(0);
      return s.compare(Compare::Equal, v[0], s.constant(positive ? infinity : -infinity));
    }));
  });
}

} // namespace sinter
