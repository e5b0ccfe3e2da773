// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grid's third dim is the number of the op; where an op has fewer blocks than others, those behind do nothing.
#include "launch_forms.h"

using namespace mlir;

namespace sinter {
namespace {

/// The larger of two numbers of blocks; nothing where that shows only in a call.
std::optional<PrintedCode> largerOf(const PrintedCode &a, const PrintedCode &b) {
  int64_t first, second;
  if (a.text() == b.text())
    return a;
  if (a.text().getAsInteger(10, first) || b.text().getAsInteger(10, second))
    return std::nullopt;
  return first < second ? b : a;
}

} // namespace

FailureOr<Printed> printBeside(LaunchOp launch, ArrayRef<Operation *> ops, KernelFunction &function,
                               function_ref<FailureOr<Printed>(Operation *)> print) {
  std::vector<std::string> bodies;
  std::vector<Launch> launches;
  Printed all;
  for (Operation *op : ops) {
    function.launch = Launch();
    FailureOr<Printed> printed = print(op);
    if (failed(printed))
      return failure();
    all = {all.kind.empty() || all.kind == printed->kind ? printed->kind : "map", printed->why, printed->returnsStatus};
    bodies.push_back(function.body.take());
    function.body = Printer();
    launches.push_back(function.launch);
  }
  Launch &whole = function.launch;
  whole = launches.front();
  for (const Launch &own : launches) {
    std::optional<PrintedCode> x = largerOf(whole.x, own.x), y = largerOf(whole.y, own.y);
    if (!x || !y || own.z.text() != "1" || own.threads != whole.threads)
      return launch.emitOpError("has ops whose blocks do not go together");
    whole.x = *x;
    whole.y = *y;
    whole.sharedBytes = std::max(whole.sharedBytes, own.sharedBytes);
  }
  whole.z = PrintedCode(ops.size());
  function.need("templates/cuda/device.h");
  for (auto [i, body] : llvm::enumerate(bodies)) {
    PrintedCode condition("cuda::blockZ() == ", i);
    if (whole.x.text() != launches[i].x.text())
      condition.append(" && cuda::blockX() < ", launches[i].x);
    if (whole.y.text() != launches[i].y.text())
      condition.append(" && cuda::blockY() < ", launches[i].y);
    auto block = function.body.block("if (", condition, ")");
    function.body.lines(PrintedCode::trusted(body));
  }
  all.why = std::to_string(ops.size()) + " side by side, each " + all.why;
  return all;
}

FailureOr<Printed> printSideBySide(LaunchOp launch, const CodegenOptions &options, KernelFunction &function) {
  return printBeside(launch, payloadsOf(launch), function, [&](Operation *op) {
    return isa<ConvOp>(op)     ? printConv(op, options, function)
           : isa<MatmulOp>(op) ? printMatmul(op, options, function)
                               : printGeneric(op, options, function);
  });
}

} // namespace sinter
