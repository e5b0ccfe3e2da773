// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unique: over elements, or over the entries of an axis as rows. A kernel sorts and numbers; the rows themselves are
// gathered.
#include "ops/runtime_sizes.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerUnique(Op &op) {
  Tensor x = op.input(0), rows = x;
  int64_t axis = 0;
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, x.rank()));
  bool byAxis = op.hasAttribute("axis");
  if (byAxis) {
    FailureOr<int64_t> given = op.axis(op.integer("axis"), x.rank());
    if (failed(given))
      return failure();
    axis = *given;
    permutation.erase(permutation.begin() + axis);
    permutation.insert(permutation.begin(), axis);
    rows = op.transpose(x, permutation);
  }
  Sizes entry = byAxis ? op.sizes(rows) : Sizes{product(op.b, op.loc, op.sizes(x))};
  Size n = entry.front(), width = product(op.b, op.loc, ArrayRef(entry).drop_front());
  rows = op.reshape(rows, {n, width});
  Sizes list{n};
  constexpr ElementType index = ElementType::Int64;
  SmallVector<Tensor> made =
      op.kernel("unique", {rows}, {{list, index}, {list, index}, {list, index}, {{}, index}, {list, index}},
                {op.param("sorted", op.integer("sorted", 1) != 0)});
  Tensor first = made[0], inverse = made[1], counts = made[2];
  Size count = countSize(op, made[3], n);
  Tensor y = op.generate({count, width}, x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    Value place = nb.create<tensor::ExtractOp>(op.loc, first.value, at[0]);
    Value row = nb.create<CheckIndexOp>(op.loc, nb.getIndexType(), place, toValue(nb, op.loc, n), false);
    return nb.create<tensor::ExtractOp>(op.loc, rows.value, ValueRange{row, at[1]});
  });
  entry.front() = count;
  y = op.reshape(y, entry);
  if (byAxis)
    y = op.transpose(y, invertPermutationVector(permutation));
  SmallVector<Tensor> results{y, takeFirst(op, first, count, 0), inverse, takeFirst(op, counts, count, 0)};
  results.resize(op.outputCount());
  return op.results(results);
}
} // namespace

void register_unique(Registry &registry) { registry.onOp("Unique", {11, 28}, "X[_*] axis@X sorted=0|1", lowerUnique); }

} // namespace sinter
