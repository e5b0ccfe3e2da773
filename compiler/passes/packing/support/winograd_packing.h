// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words that templates/dual/dual_winograd.h reads.
#pragma once

#include "dual_packing.h"

namespace sinter {

/// Whether four times the sums and their biases are within 32 bits. sums[f]: the sum of |w| of filter f; `largest`: of
/// an input less its zero point. Transformed filters and inputs are within 16 bits anyway.
bool fitsWinograd(llvm::ArrayRef<DualFilter> filters, llvm::ArrayRef<int64_t> sums, int64_t largest);

/// tap(filter, channel, row, column) of 3x3 filters; `channels` is a multiple of 4.
DualWords packWinograd(llvm::ArrayRef<DualFilter> filters, int64_t channels,
                       llvm::function_ref<int32_t(int64_t, int64_t, int64_t, int64_t)> tap);

} // namespace sinter
