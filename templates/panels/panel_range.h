// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which panels of filters a call of a convolution computes: all, or a share of them. Where a map has one row, or has
// less to read than its weights, threads share panels and not rows.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

/// Panels are numbered through all groups.
struct PanelRange {
  int64_t first, last;
  /// The first of group g, of `count` panels each, and the one behind its last.
  SINTER_INLINE_MEMBER int64_t begin(int64_t g, int64_t count) const { return within(first - g * count, count); }
  SINTER_INLINE_MEMBER int64_t end(int64_t g, int64_t count) const { return within(last - g * count, count); }

private:
  SINTER_INLINE_MEMBER static int64_t within(int64_t panel, int64_t count) {
    return panel < 0 ? 0 : panel < count ? panel : count;
  }
};
struct AllPanels {
  SINTER_INLINE_MEMBER int64_t begin(int64_t, int64_t) const { return 0; }
  SINTER_INLINE_MEMBER int64_t end(int64_t, int64_t count) const { return count; }
};

} // namespace
} // namespace sinter
