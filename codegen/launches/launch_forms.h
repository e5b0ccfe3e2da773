// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How ops share a kernel, most of them on a GPU: a form for each pass of compiler/passes/launches, which is the only
// one to make it.
#pragma once

#include "codegen/kernels/kernel_list.h"
#include "ir/launch.h"

namespace sinter {

/// The ops of a launch, without buffers and views.
llvm::SmallVector<mlir::Operation *> payloadsOf(LaunchOp launch);

/// The ops as branches by the grid's third dim, each printed by `print`.
mlir::FailureOr<Printed> printBeside(LaunchOp launch, llvm::ArrayRef<mlir::Operation *> ops, KernelFunction &function,
                                     llvm::function_ref<mlir::FailureOr<Printed>(mlir::Operation *)> print);

/// A function that prints the body of a launch.
using PrintForm = mlir::FailureOr<Printed> (*)(LaunchOp launch, const CodegenOptions &options,
                                               KernelFunction &function);
/// A fill, a reduction, and perhaps the nest that goes over its results.
mlir::FailureOr<Printed> printReduction(LaunchOp launch, const CodegenOptions &options, KernelFunction &function);
/// Contractions, each of which adds what the one before it has stored at the same places.
mlir::FailureOr<Printed> printInTurn(LaunchOp launch, const CodegenOptions &options, KernelFunction &function);
/// Ops that do not depend on each other.
mlir::FailureOr<Printed> printSideBySide(LaunchOp launch, const CodegenOptions &options, KernelFunction &function);
/// A normalisation, and products of its result.
mlir::FailureOr<Printed> printNormedProducts(LaunchOp launch, const CodegenOptions &options, KernelFunction &function);
/// Convolutions that expand, convolve by channel and project.
mlir::FailureOr<Printed> printInvertedResidual(LaunchOp launch, const CodegenOptions &options,
                                               KernelFunction &function);

} // namespace sinter
