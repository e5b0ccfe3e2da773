// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernel computes a contraction, of those that can: the records of kernel.h are asked, and the cheapest is taken.
// choose-kernels asks; --dump-choices and the report say what was answered.
#pragma once

#include "kernel.h"

namespace sinter {

/// What counts of a kernel's answer.
struct KernelBid {
  bool fits = false;
  std::optional<double> estimate;
};

/// The number of the kernel that is taken, of bids in the order of ranks; nullopt where none fits. The first that fits
/// is beaten by a later one with a lower estimate, where both have one: kernels without an estimate go by rank.
std::optional<size_t> bestOf(llvm::ArrayRef<KernelBid> bids);

/// All kernels for an op's kind of contraction, or for its template, asked.
struct KernelChoice {
  KernelAttr kernel; ///< the one that is taken, settled; null where none fits
  CandidatesAttr candidates;
};
/// Precondition: operands are buffers.
KernelChoice chooseKernel(ConvOp op, const Target &target);
KernelChoice chooseKernel(MatmulOp op, const Target &target);
/// What one of the kernels that could compute it settles; null where it could not.
KernelAttr settledKernel(ConvOp op, llvm::StringRef name, const Target &target);
KernelAttr settledKernel(MatmulOp op, llvm::StringRef name, const Target &target);
/// No candidates where the template has but one way.
KernelChoice chooseKernel(KernelOp op, const Target &target);

} // namespace sinter
