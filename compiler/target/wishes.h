// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the user wishes beside a target, as far as passes depend on it: each wish is a type, so that a pass says in its
// signature which ones it knows (../pipeline/pass_context.h).
#pragma once

#include <cstdint>
#include <optional>

namespace sinter {

/// What comes first where they exclude each other: --fit=balanced|speed|ram.
enum class Fit { Balanced, Speed, Ram };

/// How sums of quantized nets are multiplied by their factors: --requant=float|fixed.
enum class Requant { Float, Fixed };

/// The most shares that a kernel's work is split into: --threads.
struct Threads {
  int64_t count = 1;
};

/// Work at compile time beside what weights allow, in steps: --fold-limit.
struct FoldLimit {
  std::optional<int64_t> steps;
};

/// The most bytes that feature maps may take in row tiles, by estimate, where their costs allow more than Fit::Ram asks
/// for: --arena-limit, and what row_tile_limits.h finds.
struct RowTilingBudget {
  std::optional<int64_t> bytes;
  bool mapsApart = false; ///< the estimate takes no map to lie over another one
};

} // namespace sinter
