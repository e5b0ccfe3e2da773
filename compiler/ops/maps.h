// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps, which only inputs of the model are: as many keys as values, in any order. Of equal keys the first counts, as in
// onnxruntime's C interface.
#pragma once

#include "lowering.h"

namespace sinter {

struct Map {
  Tensor keys, values; ///< [count] each
};

/// Operand i, which the schema says is a map.
const Map &mapOf(const Op &op, unsigned i);

/// slots[places[i]] = values[i]; of equal places the first counts. Slots are a tensor of one dim, places inside.
mlir::FailureOr<Tensor> withFirstOf(const Op &op, Tensor slots, Tensor places, Tensor values);

} // namespace sinter
