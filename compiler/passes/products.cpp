// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products.h"

using namespace mlir;

namespace sinter {

SmallVector<Operation *> productsOf(ModuleOp module) {
  SmallVector<Operation *> products;
  module.walk([&](Operation *op) {
    if (isa<ConvOp, MatmulOp>(op))
      products.push_back(op);
  });
  return products;
}

} // namespace sinter
