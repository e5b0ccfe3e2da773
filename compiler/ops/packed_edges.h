// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 4- and 2-bit tensors at the model's edges: packed in the caller's bytes, low bits first, one element to a byte
// inside.
#pragma once

#include "builders/tensors.h"

namespace sinter {

/// Do elements of this type share bytes at the ABI?
bool isPackedAtEdges(ElementType type);
/// Bytes that so many elements take.
Size packedBytes(const Tensors &t, llvm::ArrayRef<Size> sizes, ElementType element);
/// The elements in bytes (i8, rank 1).
Tensor unpackBytes(const Tensors &t, mlir::Value bytes, llvm::ArrayRef<Size> sizes, ElementType element);
/// The reverse.
mlir::Value packBytes(const Tensors &t, Tensor x);

} // namespace sinter
