// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any types and strides, one element at a time: templates/direct/matmul_direct.h. A right-hand side that was packed for
// a kernel which cannot read the left one is read where packing has put its elements: `panels` columns wide, of
// `dot4`.
#include "kernels/cycles.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/dot4/support/byte_kind.h"
#include "kernels/kernel.h"
#include "kernels/panels/support/tile.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleMatmulDirect(MatmulOp op, const Target &, StringRef &whyNot) {
  Builder b(op.getContext());
  KernelAttr packed = op.getKernelAttr();
  KernelAttr direct = KernelAttr::get(op.getContext(), "matmul_direct", b.getDictionaryAttr({}));
  if (!packed || packed.getName() == direct.getName())
    return packed ? packed : direct;
  bool isDot4 = packed.getName() == "int_gemm", isBf16 = packed.getName() == "bf16_gemm";
  if (!isDot4 && !isBf16 && packed.getName() != "gemm") {
    whyNot = "its constant operand is packed for another";
    return {};
  }
  ArrayRef<int64_t> shape = cast<MemRefType>(op.getRhs().getType()).getShape();
  int64_t columns = isBf16 ? shape[2] : shape.back() / (isDot4 ? bytesTogether(packed) : 1);
  direct = direct.with("panels", b.getI64IntegerAttr(columns));
  if (isDot4)
    direct = direct.with("dot4", b.getUnitAttr());
  if (isBf16)
    direct = direct.with("bf16", b.getUnitAttr());
  for (StringRef how : {"flipped", "eights", "extras"})
    if (packed.has(how))
      direct = direct.with(how, packed.getParams().get(how));
  return direct;
}

ContractionCall callOfMatmulDirect(MatmulOp op, const Target &target) {
  KernelAttr kernel = op.getKernelAttr();
  bool isDot4 = kernel.has("dot4"), isBf16 = kernel.has("bf16");
  StringRef bytes = isDot4 ? byteKind(kernel, op.isLhsUnsigned()) : "";
  ContractionCall call;
  call.isPacked = kernel.has("panels");
  call.columns = call.isPacked ? kernel.number("panels") : tileFor(target).columns;
  call.rows = rowsOfTile(target, call.columns);
  call.kind = "matmul";
  call.why = "strides or types that no tile takes: matmulDirect";
  call.headers = {"templates/direct/matmul_direct.h"};
  if (isDot4) {
    call.headers.push_back("templates/dot4/int_gemm.h");
    call.depth = cast<MemRefType>(op.getRhs().getType()).getDimSize(1) * bytesTogether(kernel);
  }
  if (isBf16) {
    call.headers.push_back("templates/dot4/bf16_gemm.h");
    call.depth = cast<MemRefType>(op.getRhs().getType()).getDimSize(1) * 4;
  }
  call.function = "matmulDirect";
  call.templateArguments = {Arg::Sum};
  call.arguments = {{Arg::LhsElements, 0, bytes},
                    {Arg::RhsElements, call.isPacked ? call.columns : 0, isBf16 ? "Bf16Squares" : bytes},
                    Arg::Output,
                    Arg::OutputRow,
                    Arg::OutputColumn,
                    Arg::M,
                    Arg::N,
                    Arg::K,
                    Arg::Epilogue};
  call.hasFixedSizes = false;
  return call;
}

} // namespace

Kernel matmul_direct_kernel() {
  return {"matmul_direct", 3,
          MatmulKernel{settleMatmulDirect, callOfMatmulDirect, nullptr, nullptr, estimateBy<scalarCycles, MatmulOp>}};
}

} // namespace sinter
