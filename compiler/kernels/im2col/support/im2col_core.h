// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cores of templates/im2col/im2col_rows.h, as the compiler sees them.
#pragma once

#include "target/target.h"

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace sinter {

/// With its step (bytes that im2col rows are filled up to) and header.
struct Im2colCore {
  llvm::StringRef type, header; ///< in generated code
  int64_t step, headerBytes;
  bool readsInPlace; ///< signed bytes
  bool isVector;     ///< weights in runs of a step
  int64_t (*runs)(int64_t kernelH, int64_t kernelW, int64_t channels, int64_t filters);
  int64_t (*count)(int64_t k, int64_t runs, bool isInPlace, int64_t pixels);
  int64_t (*pitch)(int64_t k, int64_t runs);
};
/// The core of the target; null where it has none.
const Im2colCore *im2colCore(const Target &target);
/// Cores with vectors requantize four sums at a time: `takesRequantize` of their kernels.
bool vectorsTakeRequantize(const Target &target);

} // namespace sinter
