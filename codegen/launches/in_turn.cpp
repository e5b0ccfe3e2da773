// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block computes its tile of one op after the other.
#include "launch_forms.h"

using namespace mlir;

namespace sinter {

FailureOr<Printed> printInTurn(LaunchOp launch, const CodegenOptions &options, KernelFunction &function) {
  Printed all;
  int64_t sharedBytes = 0;
  for (Operation *op : payloadsOf(launch)) {
    if (!all.kind.empty())
      function.body.line("cuda::syncBlock(); // before shared memory is written again");
    FailureOr<Printed> printed =
        isa<ConvOp>(op) ? printConv(op, options, function) : printMatmul(op, options, function);
    if (failed(printed))
      return failure();
    sharedBytes = std::max(sharedBytes, function.launch.sharedBytes);
    all = *printed;
  }
  function.launch.sharedBytes = sharedBytes;
  all.why = "one contraction after the other, tile by tile, each " + all.why;
  return all;
}

} // namespace sinter
