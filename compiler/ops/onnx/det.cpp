// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Det: determinants of the matrices in the last two dims.
#include "ops/moments.h"

using namespace mlir;

namespace sinter {

void register_det(Registry &registry) {
  registry.onOp("Det", {11, 22}, "X[_*,M,M]", [](Op &op) {
    Tensor x = op.input(0);
    if (x.rank() < 2 || (constantOf(op.size(x, x.rank() - 1)) && constantOf(op.size(x, x.rank() - 2)) &&
                         !sameSize(op.size(x, x.rank() - 1), op.size(x, x.rank() - 2))))
      return op.fail(Code::ShapeMismatch, "the input's last two dims are not those of a square matrix");
    Sizes sizes = op.sizes(x), outer(ArrayRef<Size>(sizes).drop_back(2));
    Size batch = product(op.b, op.loc, outer), n = sizes.back();
    // The matrix is eliminated in a copy.
    SmallVector<Tensor> made = op.kernel("determinant", op.reshape(x, {batch, n, n}),
                                         {{{batch}, x.element}, {{n, n}, statisticsType(x.element)}});
    return op.result(op.reshape(made[0], outer));
  });
}

} // namespace sinter
