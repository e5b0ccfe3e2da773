// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ScatterElements (Scatter before opset 11) and ScatterND: kernels that copy data and put updates into the copy.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {
namespace {

FailureOr<int64_t> reductionOf(const Op &op) {
  StringRef names[] = {"none", "add", "mul", "max", "min"};
  StringRef *found = llvm::find(names, op.string("reduction", "none"));
  if (found == std::end(names))
    return op.fail(Code::UnsupportedForm,
                   "reduction '" + op.string("reduction") + "' is none of none, add, mul, max, min");
  if (*found != "none" && op.input(0).element == ElementType::String)
    return op.unsupported("reduction '" + *found + "' of strings");
  return found - std::begin(names);
}

LogicalResult lowerElements(Op &op) {
  Tensor data = op.input(0), indices = op.input(1), updates = op.input(2);
  FailureOr<int64_t> axis = op.axis(op.integer("axis", 0), data.rank()), reduction = reductionOf(op);
  if (failed(axis) || failed(reduction))
    return failure();
  if (indices.rank() != data.rank() || updates.rank() != data.rank())
    return op.fail(Code::ShapeMismatch, "data, indices and updates differ in rank");
  for (int64_t d = 0; d < data.rank(); ++d) {
    std::optional<int64_t> have = constantOf(op.size(data, d)), want = constantOf(op.size(indices, d)),
                           come = constantOf(op.size(updates, d));
    if ((d != *axis && have && want && *want > *have) || (want && come && *want != *come))
      return op.fail(Code::ShapeMismatch, "indices do not fit data or updates in dim " + Twine(d));
  }
  return op.results(op.kernel("scatter_elements", {data, indices, updates}, {{op.sizes(data), data.element}},
                              {op.param("axis", *axis), op.param("reduction", *reduction)}));
}

LogicalResult lowerNd(Op &op) {
  Tensor data = op.input(0), indices = op.input(1), updates = op.input(2);
  FailureOr<int64_t> reduction = reductionOf(op);
  if (failed(reduction))
    return failure();
  int64_t outer = indices.rank() - 1;
  std::optional<int64_t> length = outer >= 0 ? constantOf(op.size(indices, outer)) : std::nullopt;
  if (!length)
    return op.fail(Code::ShapeNotConstant, "the last dim of 'indices' is not known at compile time",
                   "give the dim that it depends on: --dim NAME=N");
  if (*length > data.rank() || updates.rank() != outer + data.rank() - *length)
    return op.fail(Code::ShapeMismatch, "indices of length " + Twine(*length) + " do not fit data and updates");
  Sizes own = op.sizes(data), places = op.sizes(indices), view(own.begin(), own.begin() + *length);
  Size slice = product(op.b, op.loc, ArrayRef(own).drop_front(*length)),
       count = product(op.b, op.loc, ArrayRef(places).drop_back());
  view.push_back(slice);
  Tensor y = op.kernel("scatter_nd",
                       {op.reshape(data, view), op.reshape(indices, {count, sizeOf(op.b, *length)}),
                        op.reshape(updates, {count, slice})},
                       {{view, data.element}}, {op.param("reduction", *reduction)})[0];
  return op.result(op.reshape(y, own));
}
} // namespace

void register_scatter(Registry &registry) {
  registry.onOp(
      "Scatter", {9, 11},
      "data[A:or(axis,0),_,B*] indices[P:or(axis,0),L,Q*] updates[P*,L,Q*] rank(indices)=rank(data) P<=A Q<=B",
      lowerElements);
  registry.onOp("ScatterElements", {11, 13, 16, 18},
                "data[A:or(axis,0),_,B*] indices[P:or(axis,0),L,Q*] updates[P*,L,Q*] rank(indices)=rank(data) P<=A "
                "Q<=B reduction=none|add|mul|max|min",
                lowerElements);
  registry.onOp("ScatterND", {11, 13, 16, 18},
                "indices[Q*,L] data[A:L,D*] updates[Q*,D*] reduction=none|add|mul|max|min", lowerNd);
}

} // namespace sinter
