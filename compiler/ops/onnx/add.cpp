// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Add, with numpy broadcasting since version 7 and the explicit kind of broadcasting before.
#include "ops/legacy_broadcast.h"

namespace sinter {

void register_add(Registry &registry) {
  registry.onOp("Add", {1, 6, 7, 13, 14}, [](Op &op) {
    return resultBroadcasting(op, op.input(0).element, [](const Scalars &s, mlir::ValueRange v) { return s.add(v[0], v[1]); });
  });
}

} // namespace sinter
