// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ai.onnx.ml.OneHotEncoder: y[..., c] is 1 where x is category c. What is no category gives zeros, or with zeros = 0
// ends the call with the status of an index out of range. onnxruntime compares numbers as integers.
#include "ops/lists.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerOneHotEncoder(Op &op) {
  std::optional<List> categories = listOf(op, "cats");
  Tensor x = op.input(0);
  if (x.element != ElementType::String)
    x = op.cast(x, ElementType::Int64);
  if (!categories || categories->element != x.element)
    return op.fail(Code::WrongOperandType,
                   "there are no categories of the input's type, tensor(" + elementTypeName(op.input(0).element) + ")");
  Tensor places = placesAmong(op, x, *categories);
  bool mustBeKnown = op.integer("zeros", 1) == 0;
  int64_t count = categories->size();
  SmallVector<int64_t> numbers = llvm::to_vector(llvm::seq<int64_t>(0, count));
  return op.result(
      op.elementwise({op.unsqueeze(places, {x.rank()}), op.integers(numbers)}, ElementType::Float,
                     [&](const Scalars &s, ValueRange v) {
                       Scalars y{s.b, s.loc, ElementType::Float};
                       Value place = v[0];
                       if (mustBeKnown) {
                         Value size = s.b.create<arith::ConstantIndexOp>(s.loc, count);
                         Value inside = s.b.create<CheckIndexOp>(s.loc, s.b.getIndexType(), place, size, false);
                         place = s.b.create<arith::IndexCastOp>(s.loc, s.b.getI64Type(), inside);
                       }
                       return y.select(s.compare(Compare::Equal, place, v[1]), y.constant(1), y.constant(0));
                     }));
}
} // namespace

void register_one_hot_encoder(Registry &registry) {
  registry.onOp("OneHotEncoder", {1}, "X[_*]", lowerOneHotEncoder, "ai.onnx.ml");
}

} // namespace sinter
