// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The region that a contraction runs on its accumulators, as a generic lambda: one printed body for vectors and for
// single elements.
#pragma once

#include "body_printer.h"

namespace sinter {

/// What the lambda's parameters say about the output element that it computes.
struct EpilogueCoordinates {
  std::vector<Identifier> parameters; ///< after the accumulator
  Identifier lane;                    ///< the one that lanes run along
  std::vector<SizeExpr> dims;         ///< each dim of the output in terms of the parameters and of loops outside
  /// Channel blocks: dims[blockDim] is lane / block and dims[innerDim] is lane % block. 0: no blocks.
  int64_t block = 0;
  size_t blockDim = 0, innerDim = 0;
};

/// Prints `const auto epilogue = [=](auto v, ...) {...};` and gives its name; `Identity{}` where nothing is computed.
mlir::FailureOr<PrintedCode> printEpilogue(KernelFunction &function, mlir::Block &body, mlir::ValueRange inputs,
                                           mlir::ArrayAttr maps, const EpilogueCoordinates &coordinates,
                                           IndexCheck indexCheck);

} // namespace sinter
