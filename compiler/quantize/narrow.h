// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// float32 to the 16-bit floats, many elements at a time: models have billions of them. half.h says which tensors.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace sinter::quantize {

/// Writes the nearest float16 of each value, ties to even; of a finite value beyond the range its end. How many these
/// are. Both sides are in raw_data's form, at any address.
int64_t toFloat16(llvm::StringRef floats, char *narrow);
/// bfloat16 likewise.
int64_t toBFloat16(llvm::StringRef floats, char *narrow);

} // namespace sinter::quantize
