// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cores of templates/lines/line_product.h, as the compiler sees them.
#pragma once

#include "target/target.h"

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace sinter {

/// With its step (bytes that lines are filled up to) and header.
struct LineCore {
  llvm::StringRef type, header; ///< in generated code
  int64_t step, headerBytes;
  bool readsInPlace; ///< signed bytes
  bool isVector;     ///< weights in runs of a step
  int64_t (*runs)(int64_t kernelH, int64_t kernelW, int64_t channels, int64_t filters);
  int64_t (*count)(int64_t k, int64_t runs, bool isInPlace, int64_t pixels);
  int64_t (*pitch)(int64_t k, int64_t runs);
};
/// The core of the target's; null without lines.
const LineCore *lineCore(const Target &target);

} // namespace sinter
