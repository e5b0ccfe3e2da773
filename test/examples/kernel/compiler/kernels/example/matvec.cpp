// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A right-hand side of one column, made at run time: templates/example/matvec.h.
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settle(MatmulOp op, const Target &, StringRef &whyNot) {
  if (!isPlain(op, whyNot) || !takesTiles(op, whyNot))
    return {};
  if (cast<MemRefType>(op.getInits()[0].getType()).getShape().back() == 1 && stridesOf(op).lhsColumn == 1)
    return KernelAttr::get(op.getContext(), "matvec", DictionaryAttr::get(op.getContext()));
  whyNot = "more than one column, or rows of the left-hand side have gaps";
  return {};
}

ContractionCall call(MatmulOp, const Target &) {
  ContractionCall call;
  call.kind = "matmul";
  call.why = "one column: row by row";
  call.headers = {"templates/example/matvec.h"};
  call.function = "matvec";
  call.arguments = {Arg::Lhs,       Arg::LhsRow, Arg::Weights, Arg::RhsRow,  Arg::Output,
                    Arg::OutputRow, Arg::M,      Arg::K,       Arg::Epilogue};
  call.isPacked = false;
  return call;
}

} // namespace

Kernel matvec_kernel() { return {"matvec", 0, MatmulKernel{settle, call}}; }

} // namespace sinter
