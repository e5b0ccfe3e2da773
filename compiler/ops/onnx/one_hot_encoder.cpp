// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ai.onnx.ml.OneHotEncoder of numbers: y[..., c] is 1 where x is category c. What is no category gives zeros, or with
// zeros = 0 ends the call. onnxruntime compares x as an integer.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lower(Op &op) {
  SmallVector<int64_t> categories = op.integers("cats_int64s");
  Tensor given = op.input(0);
  if (given.element == ElementType::String || categories.empty())
    return op.unsupported("categories that are strings", "encode them as integers before the model");
  if (op.integer("zeros", 1) == 0)
    return op.unsupported("zeros = 0, by which an unknown category ends the call",
                          "export with zeros = 1 (scikit-learn: handle_unknown='ignore')");
  Tensor x = op.unsqueeze(op.cast(given, ElementType::Int64), given.rank());
  return op.result(op.elementwise({x, op.integers(categories)}, ElementType::Float, [](const Scalars &s, ValueRange v) {
    Scalars y{s.b, s.loc, ElementType::Float};
    return y.select(s.compare(Compare::Equal, v[0], v[1]), y.constant(1), y.constant(0));
  }));
}
} // namespace

void register_one_hot_encoder(Registry &registry) { registry.onOp("OneHotEncoder", {1}, "X[_*]", lower, "ai.onnx.ml"); }

} // namespace sinter
