// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Equal, Greater, GreaterOrEqual, Less, LessOrEqual. A comparison with NaN is false.
#include "ops/legacy_broadcast.h"

using namespace mlir;

namespace sinter {

namespace {
template <Compare predicate>
LogicalResult lowerComparison(Op &op) {
  return resultBroadcasting(op, ElementType::Bool, [](const Scalars &s, ValueRange v) -> Value {
    if (s.type == ElementType::String)
      return s.b.create<ApplyOp>(s.loc, s.b.getI1Type(), "string_equal", v);
    return s.compare(predicate, v[0], v[1]);
  });
}
} // namespace

void register_comparison(Registry &registry) {
  registry.onOp("Equal", {1, 7, 11, 13, 19}, "A[S~] B[S~]|{broadcast}[_*]", lowerComparison<Compare::Equal>);
  registry.onOp("Greater", {1, 7, 9, 13}, "A[S~] B[S~]|{broadcast}[_*]", lowerComparison<Compare::Greater>);
  registry.onOp("GreaterOrEqual", {12, 16}, "A[S~] B[S~]|{broadcast}[_*]", lowerComparison<Compare::GreaterOrEqual>);
  registry.onOp("Less", {1, 7, 9, 13}, "A[S~] B[S~]|{broadcast}[_*]", lowerComparison<Compare::Less>);
  registry.onOp("LessOrEqual", {12, 16}, "A[S~] B[S~]|{broadcast}[_*]", lowerComparison<Compare::LessOrEqual>);
}

} // namespace sinter
