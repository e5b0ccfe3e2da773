// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block computes its tile of one op after the other. A fill among them is of counters, which only launches behind
// this one read: the first block clears them.
#include "launch_forms.h"

using namespace mlir;

namespace sinter {

/// Words of zeros, which no other block of the launch reads.
static void printClearing(Operation *fill, KernelFunction &function) {
  const View &view = function.values().view(cast<DestinationStyleOpInterface>(fill).getDpsInits()[0]);
  Identifier counters = function.pointer(view, "counters", true), i = function.names.make("i");
  function.body.line("for (int ", i, " = cuda::threadIndex(); cuda::blockX() == 0 && cuda::blockY() == 0 && ", i, " < ",
                     view.sizes[0].print(), "; ", i, " += ", function.launch.threads, ")");
  function.body.line("  ", counters, "[", i, "] = 0; // for launches behind this one");
}

FailureOr<Printed> printInTurn(LaunchOp launch, const CodegenOptions &options, KernelFunction &function) {
  Printed all;
  int64_t sharedBytes = 0, contractions = 0;
  SmallVector<Operation *> fills;
  for (Operation *op : payloadsOf(launch)) {
    if (!isa<ConvOp, MatmulOp>(op)) {
      fills.push_back(op);
      continue;
    }
    if (contractions++ > 0)
      function.body.line("cuda::syncBlock(); // before shared memory is written again");
    FailureOr<Printed> printed =
        isa<ConvOp>(op) ? printConv(op, options, function) : printMatmul(op, options, function);
    if (failed(printed))
      return failure();
    sharedBytes = std::max(sharedBytes, function.launch.sharedBytes);
    all = *printed;
  }
  function.launch.sharedBytes = sharedBytes;
  for (Operation *fill : fills)
    printClearing(fill, function);
  if (contractions > 1)
    all.why = "one contraction after the other, tile by tile, each " + all.why;
  return all;
}

} // namespace sinter
