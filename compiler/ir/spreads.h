// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The attribute `spreads` of sinter.conv: the input's neighbours stand so many places apart along each spatial dim,
// with zeros between, as a transposed convolution reads it. Strides are 1 then; pads count places. Without it 1
// everywhere.
#pragma once

#include "dialect.h"

namespace sinter {

inline mlir::DenseI64ArrayAttr spreadsOf(ConvOp conv) {
  return conv->getAttrOfType<mlir::DenseI64ArrayAttr>("spreads");
}
inline int64_t spreadOf(ConvOp conv, size_t dim) { return spreadsOf(conv) ? spreadsOf(conv)[dim] : 1; }
inline void setSpreads(ConvOp conv, llvm::ArrayRef<int64_t> spreads) {
  conv->setAttr("spreads", mlir::DenseI64ArrayAttr::get(conv.getContext(), spreads));
}

} // namespace sinter
