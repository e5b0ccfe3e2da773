// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds what PEFT trained to the weights of node IR: W + scale * B * A, computed in double and rounded once to the type
// of W. Weights of few bits stay as they are, and the product gets the sum of lower rank beside it: x W + (x A') B'.
// Weights are found by the names of PyTorch's modules, which exporters keep in names of initializers or of nodes.
#pragma once

#include "adapter.h"

namespace sinter {

/// Which of several models a file has that are one to PyTorch: their modules' paths say so, and may be alike otherwise.
enum class AdapterSide {
  Whole,   ///< it is the only one
  Encoder, ///< and Decoder, of an encoder-decoder
  Decoder,
  Text, ///< and Front, which sees or hears
  Front,
};

/// Success, or problems are reported.
mlir::LogicalResult mergeAdapter(mlir::ModuleOp module, const Adapter &adapter, AdapterSide side,
                                 const SharedNames &shared, Diagnostics &diagnostics);

} // namespace sinter
