// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings that a call makes. A string is a pointer and a size; its bytes lie in an input, in a constant, or, of those
// that kernels make, in one buffer of the arena that belongs to them for the whole call (runtime-lite/text.h).
#pragma once

#include "lowering.h"

namespace sinter {

/// A kernel that makes strings: behind its outputs it gets the count of bytes used, and the buffer of text. Room is
/// made for `bytesEach` per string unless the user states how many bytes there are (--text-bytes).
llvm::SmallVector<Tensor> makeText(const Op &op, llvm::StringRef kernel, llvm::ArrayRef<Tensor> inputs,
                                   llvm::ArrayRef<Op::KernelOutput> outputs,
                                   llvm::ArrayRef<mlir::NamedAttribute> params, Size strings, int64_t bytesEach);
/// The type that has all numbers of another and that text is made of and read as.
ElementType widestNumber(ElementType type);
/// Each number as text: as Cast has it or, of floats, by "%.6f" where so many `places` behind the point are asked for.
Tensor textOfNumbers(const Op &op, Tensor x, std::optional<int64_t> places = std::nullopt);
/// Where nothing says how long a string may be.
constexpr int64_t usualTextBytes = 64;

/// After conversion: the buffer has as many bytes as the user states, or as the kernels asked for.
void settleTextBytes(Conversion &conversion);

} // namespace sinter
