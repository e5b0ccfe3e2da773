// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --index-check: what the generated code does with an index from data that is out of range.
#pragma once

namespace sinter {
enum class IndexCheck { Error, Clamp, Trust };
} // namespace sinter
