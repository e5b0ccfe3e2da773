// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns in pairs: templates/dual/dual_matmul.h.
#include "kernels/cycles.h"
#include "kernels/dual/support/dual_shape.h"
#include "kernels/kernel.h"

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleDualMatmul(MatmulOp op, const Target &, llvm::StringRef &whyNot) {
  return asPacked(op, "dual_matmul", whyNot);
}

ContractionCall callOfDualMatmul(MatmulOp op, const Target &) {
  ContractionCall call;
  call.kind = "matmul";
  call.why = "bytes: filters in pairs, two products at a time";
  call.headers = {"templates/dual/dual_matmul.h"};
  call.function = "dualMatmul";
  call.arguments = {Arg::Lhs,     Arg::LhsRow,           Arg::Weights,
                    Arg::Output,  Arg::OutputRow,        Arg::M,
                    Arg::K,       groupsOf(op.getRhs()), provedOf(op.getKernelAttr()),
                    Arg::Epilogue};
  call.isShared = false;
  call.hasFixedSizes = false;
  return call;
}

} // namespace

Kernel dual_matmul_kernel() {
  return {"dual_matmul", 0,
          MatmulKernel{settleDualMatmul, callOfDualMatmul, nullptr, nullptr, estimateBy<byteCycles, MatmulOp>}};
}

} // namespace sinter
