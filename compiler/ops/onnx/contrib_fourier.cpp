// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft: Rfft and Irfft of the last dim, in terms of ONNX's DFT (which has the dim of real and imaginary parts
// in its operands too). The products of complex numbers are bodies in contrib_schemas.txt.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult transform(Op &op, bool isInverse) {
  Tensor x = isInverse ? op.input(0) : op.unsqueeze(op.input(0), op.input(0).rank());
  NamedAttribute attributes[] = {op.param("onesided", int64_t(1)), op.param("inverse", int64_t(isInverse))};
  auto y = op.call("DFT", 20, {x, {}, op.reshape(op.integers({x.rank() - 2}), {})}, attributes);
  if (failed(y))
    return failure();
  return op.result(isInverse ? op.squeeze((*y)[0], (*y)[0].rank() - 1) : (*y)[0]);
}
} // namespace

void register_contrib_fourier(Registry &registry) {
  const std::string rule = "normalized=0 onesided=1 signal_ndim=1 ";
  registry.onOp("Rfft", {1}, rule + "X[_+]", [](Op &op) { return transform(op, false); }, "com.microsoft");
  registry.onOp("Irfft", {1}, rule + "X[_+,2]", [](Op &op) { return transform(op, true); }, "com.microsoft");
}

} // namespace sinter
