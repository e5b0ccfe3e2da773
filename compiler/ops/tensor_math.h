// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What several lowerings compute of whole tensors: sums, distances, parts, heads of attention.
#pragma once

#include "ops/lowering.h"

namespace sinter {

/// The sum of terms that broadcast to the first; of its type.
Tensor sumOf(const Tensors &t, llvm::ArrayRef<Tensor> terms);
/// [m, k]: the sum over n of (a[m, n] - b[k, n])^2.
Tensor squaredDistances(const Op &op, Tensor a, Tensor b);

/// x at place `index` of `axis`, which vanishes.
Tensor entryOf(const Tensors &t, Tensor x, int64_t axis, Size index);
/// `size` elements of `axis` from `first` on.
Tensor partOf(const Op &op, Tensor x, int64_t axis, Size first, Size size);
/// [b, s, heads * size] as [b, heads, s, size].
Tensor splitHeads(const Op &op, Tensor x, int64_t heads);
/// [b, heads, s, size] as [b, s, heads * size].
Tensor mergedHeads(const Op &op, Tensor x);

} // namespace sinter
