// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a place in the arena or the weights is called in `run`: as the tensor of the model that lies there.
#pragma once

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace sinter {

/// "conv_weight_data" of a sinter.constant or sinter.arena; nothing for what is a part of a tensor, several, or none of
/// the model.
std::optional<std::string> placeName(mlir::Operation *place);

} // namespace sinter
