// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges that give up the rare ends of a distribution for finer steps in its bulk.
#pragma once

#include "quantize/histogram.h"

namespace sinter::quantize {

/// Where the mean squared error of rounding and clipping together is least.
Range leastSquares(const Histogram &histogram, const Grid &grid);

/// Where the distribution of what integers stand for says most of the original one (Kullback and Leibler).
Range leastDivergence(const Histogram &histogram, const Grid &grid);

} // namespace sinter::quantize
