// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpose: permutes dims; without `perm` reverses them.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {

void register_transpose(Registry &registry) {
  registry.onOp("Transpose", {1, 13, 21, 23, 24, 25}, "data[R*] perm[#R] perm@data perm>=0",
                [](Op &op) -> LogicalResult {
                  Tensor x = op.input(0);
                  SmallVector<int64_t> reversed = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, x.rank())));
                  FailureOr<SmallVector<int64_t>> permutation = op.axes(op.integers("perm", reversed), x.rank());
                  if (failed(permutation))
                    return failure();
                  if (static_cast<int64_t>(permutation->size()) != x.rank())
                    return op.fail(Code::ShapeMismatch, "'perm' does not name every dim of the input");
                  return op.result(op.transpose(x, *permutation));
                });
}

} // namespace sinter
