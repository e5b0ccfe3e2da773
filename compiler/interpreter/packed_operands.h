// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "engine.h"
#include "ir/dialect.h"

namespace sinter {
/// Whether the operand that is packed for a kernel, if any, is in an order that the kernel tells.
bool isKnownOrder(KernelAttr kernel);
/// A filter as the op defines it, [k, c / group, taps...], whatever order it is packed in. Nothing for an order that
/// the interpreter does not know.
std::optional<HostTensor> unpackedFilter(Engine &engine, ConvOp op, HostTensor packed, int64_t filters);
/// A right-hand side as [k, n].
std::optional<HostTensor> unpackedRhs(Engine &engine, MatmulOp op, HostTensor packed, int64_t k, int64_t n);
} // namespace sinter
