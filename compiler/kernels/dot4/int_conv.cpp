// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four products of bytes to an int32 lane: templates/dot4/int_conv.h; with `tiles` tile_conv.h.
#include "kernels/cycles.h"
#include "kernels/dot4/support/byte_kind.h"
#include "kernels/dot4/support/tile_cost.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

/// `merged`: the taps of a row are adjacent bytes; only where pixels of the input are.
KernelAttr settleIntConv(ConvOp op, const Target &, StringRef &whyNot) {
  KernelAttr kernel = asPacked(op, "int_conv", whyNot);
  if (!kernel || !kernel.has("merged"))
    return kernel;
  auto in = cast<MemRefType>(op.getInput().getType());
  auto [strides, offset] = getStridesAndOffset(in);
  (void)offset;
  int64_t channels = in.getDimSize(1) * in.getShape().back();
  return strides[1 + op.getStrides().size()] == channels ? kernel : without(kernel, "merged");
}

ContractionCall callOfIntConv(ConvOp op, const Target &target) {
  ArrayRef<int64_t> panels = cast<MemRefType>(op.getFilter().getType()).getShape();
  int64_t together = panels.back(), columns = panels.drop_back().back();
  ContractionCall call;
  call.kind = "conv";
  call.why = together == 8 ? "bytes: implicit gemm, products of small matrices"
                           : "bytes: implicit gemm, four products to a lane";
  call.headers = {"templates/dot4/int_conv.h"};
  call.function = "intConv";
  call.templateArguments = {numbered(rowsOfByteTile(target, columns, together)), numbered(columns),
                            named(op.getKernelAttr().has("merged") ? "true" : "false"),
                            named(byteKind(op.getKernelAttr(), op.isInputUnsigned()))};
  if (op.getKernelAttr().has("tiles")) {
    call.why = "bytes: implicit gemm, products in tile registers";
    call.headers = {"templates/dot4/tile_conv.h"};
    call.function = "tileConv";
    call.templateArguments.erase(call.templateArguments.begin());
  }
  call.arguments = {Arg::Shape, Arg::Input, Arg::Weights, Arg::Output, Arg::Rows, Arg::Epilogue};
  return call;
}

} // namespace

Kernel int_conv_kernel() {
  return {"int_conv", 0, ConvKernel{settleIntConv, callOfIntConv, nullptr, nullptr, estimateBytes}};
}

} // namespace sinter
