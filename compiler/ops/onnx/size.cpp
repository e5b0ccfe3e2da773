// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Size: the number of elements.
#include "ops/lowering.h"

namespace sinter {

void register_size(Registry &registry) {
  registry.onOp("Size", {1, 13, 19, 21, 23, 24, 25}, "data[_*]", [](Op &op) {
    Size count = product(op.b, op.loc, op.sizes(op.input(0)));
    return op.result(op.reshape(op.fromSizes({count}), {}));
  });
}

} // namespace sinter
