// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether sequences of several lengths can go side by side in a decoder's calls: the shorter ones begin with padding,
// whose rows lie in the caches and must count nowhere. Either a mask hides them from each attention that reads a cache,
// or each sequence's rows lie in its own cache from the first place on (GroupQueryAttention), and the next rows lie
// over those of the padding.
#pragma once

#include "graph/decoder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sinter {

/// Of a decoder whose caches, inputs and dims are known: what keeps it from taking padding, in words; nothing: it does.
std::optional<std::string> whyNoPadding(mlir::func::FuncOp main, const Decoder &decoder);

} // namespace sinter
