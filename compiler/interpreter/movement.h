// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data movement at memory speed: what transposes, slices, concats and broadcasts of large weights come down to.
#pragma once

#include "host_tensor.h"

namespace sinter {

/// to[sum(i * toStrides)] = from[sum(i * fromStrides)] for all i in `extents`. Strides in elements; fromStrides may be
/// 0 (broadcast) or negative. Each target element is written once. Elements are `kind`'s; strings are copied as
/// strings.
void copyStrided(ElementKind kind, llvm::ArrayRef<int64_t> extents, char *to, llvm::ArrayRef<int64_t> toStrides,
                 const char *from, llvm::ArrayRef<int64_t> fromStrides);

/// Every element of `to` becomes the one at `element`.
void fillElements(ElementKind kind, char *to, int64_t count, const char *element);

/// Copies `source` into the box of `target` at `offsets`, `strides` apart. The box is known to be inside.
void insertBox(HostTensor &target, const HostTensor &source, llvm::ArrayRef<int64_t> offsets,
               llvm::ArrayRef<int64_t> strides);

} // namespace sinter
