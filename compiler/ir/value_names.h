// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ONNX values an op makes, kept in its location: passes merge locations of what they fuse and do not look into
// them, so the names come through without a part in any decision. `sinter verify --layers` compares by them.
#pragma once

#include "ir/value_layout.h"

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
  int64_t order;          ///< of several values of an op, the last is what it leaves
  unsigned result;        ///< which result of the op
  ValueLayout layout;     ///< how that result lies, in terms of the value's dims
  std::string name, node; ///< the value's, and that of the node which makes it
};
/// All notes of a location.
std::vector<ValueName> valueNamesIn(mlir::Location location);

/// Whoever makes `result` in blocks of a dim, where what it stands for had them not, notes it so.
void noteBlocks(mlir::Value result, unsigned axis, int64_t block);
/// Whoever makes bytes of `result` with another sign bit than before notes it so.
void noteFlippedBytes(mlir::Value result);
/// Of an op that does what `maker` did and hands it in a register to what `reader` did: it leaves the reader's values.
mlir::Location fusedLocation(mlir::Location maker, mlir::Location reader);
/// For what helps to make a value and is none: the same place without notes.
mlir::Location withoutValueNames(mlir::Location location);

} // namespace sinter
