// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ONNX values an op makes, kept in its location: passes merge locations of what they fuse and do not look into
// them, so the names come through without a part in any decision. `sinter verify --layers` compares by them.
#pragma once

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"
#include <optional>
#include <string>
#include <vector>

namespace sinter {

class NodeOp;

/// Notes that `value` is output `output` of the node, unless what makes it has a note already (a value with two names).
/// `order` counts values in the model's order.
void nameValue(mlir::Value value, NodeOp node, unsigned output, int64_t order);

struct ValueName {
  int64_t order;          ///< of fused ops' values, the last is what they leave
  unsigned result;        ///< which result of the op
  std::string name, node; ///< the value's, and that of the node which makes it
};
/// All notes of a location.
std::vector<ValueName> valueNamesIn(mlir::Location location);

} // namespace sinter
