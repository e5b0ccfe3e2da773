// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.Inverse: inverses of the matrices in the last two dims.
#include "ops/moments.h"

using namespace mlir;

namespace sinter {

void register_contrib_inverse(Registry &registry) {
  registry.onOp(
      "Inverse", {1}, "X[_*,M,M]",
      [](Op &op) {
        Tensor x = op.input(0);
        Sizes sizes = op.sizes(x);
        Size batch = product(op.b, op.loc, ArrayRef<Size>(sizes).drop_back(2)), n = sizes.back();
        // The matrix is eliminated in a copy, with the unit matrix beside it.
        SmallVector<Tensor> made = op.kernel(
            "inverse", op.reshape(x, {batch, n, n}),
            {{{batch, n, n}, x.element}, {{n, mul(op.b, op.loc, n, sizeOf(op.b, 2))}, statisticsType(x.element)}});
        return op.result(op.reshape(made[0], sizes));
      },
      "com.microsoft");
}

} // namespace sinter
