// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cross-layer equalization: between two contractions with at most a Relu between them, each channel can be made smaller
// in the first and larger in the second without a change of the result.
#pragma once

#include "quantize/plan.h"

namespace sinter::quantize {

/// Equalizes the weights of all such pairs, in the layers and in the graph. Whether there was any.
bool equalizeLayers(GraphEdit &edit, std::vector<Layer> &layers);

} // namespace sinter::quantize
