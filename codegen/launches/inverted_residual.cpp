// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and tile become a type, each convolution's operands and epilogue arguments of one call. A fill in the launch is
// of the counters: the first launch clears them, those that split hidden channels count with them.
#include "kernels/cuda/support/inverted_residual.h"
#include "codegen/kernels/conv_parts.h"
#include "codegen/text/element_text.h"
#include "kernels/cuda/support/gpu_tile.h"
#include "launch_forms.h"

using namespace mlir;

namespace sinter {
namespace {

PrintedCode conv(const cuda::ResidualConv &c) {
  std::vector<PrintedCode> numbers;
  for (int number : {c.height, c.width, c.channels, c.kernelHeight, c.kernelWidth, c.strideY, c.strideX, c.dilationY,
                     c.dilationX, c.padTop, c.padLeft, c.pitch})
    numbers.push_back(PrintedCode(int64_t(number)));
  numbers.push_back(c.hasPlanes ? PrintedCode("true") : PrintedCode("false"));
  return c.channels == 0 ? PrintedCode("{}") : PrintedCode("{", joinCode(numbers), "}");
}

PrintedCode sizes(const cuda::ResidualShape &s) {
  std::vector<PrintedCode> tile;
  for (int number :
       {s.tile.tileY, s.tile.tileX, s.tile.chunk, s.tile.splits, s.tile.threads, s.tile.expandRows, s.tile.projectRows})
    tile.push_back(PrintedCode(int64_t(number)));
  return PrintedCode("  static SINTER_DEVICE constexpr cuda::ResidualShape shape() {\n    return {", conv(s.expand),
                     ",\n            ", conv(s.depthwise), ",\n            ", int64_t(s.outHeight), ", ",
                     int64_t(s.outWidth), ", ", int64_t(s.filters), ", ", int64_t(s.elementBytes), ",\n            {",
                     joinCode(tile), "}};\n  }\n");
}

} // namespace

FailureOr<Printed> printInvertedResidual(LaunchOp launch, const CodegenOptions &options, KernelFunction &function) {
  SmallVector<ConvOp> convolutions;
  DestinationStyleOpInterface counters; // what fills them
  for (Operation *op : payloadsOf(launch))
    if (auto each = dyn_cast<ConvOp>(op))
      convolutions.push_back(each);
    else
      counters = cast<DestinationStyleOpInterface>(op);
  ResidualParts parts{convolutions.size() == 3 ? convolutions.front() : ConvOp(), convolutions.end()[-2],
                      convolutions.back()};
  StringRef whyNot;
  std::optional<ResidualPlan> plan = planResidual(parts, options.target, parts.project.getScratch() != nullptr, whyNot);
  if (!plan)
    return launch.emitOpError("is no block: ") << whyNot;
  const cuda::ResidualShape &shape = plan->shape;
  function.need("templates/cuda/inverted_residual.h");
  function.need("templates/panels/tile.h");
  SmallVector<ConvParts> printed;
  for (ConvOp each : convolutions) {
    FailureOr<ConvParts> part = printConvParts(each, options, function);
    if (failed(part))
      return failure();
    printed.push_back(*part);
  }
  const ConvParts &depthwise = printed.end()[-2], &project = printed.back();
  PrintedCode partials("nullptr"), count("nullptr");
  if (counters) {
    const View &view = function.values().view(counters.getDpsInits()[0]);
    count = PrintedCode("reinterpret_cast<uint32_t *>(", function.pointer(view, "counters", true), ")");
    if (shape.tile.splits == 1) {
      function.body.line("for (int i = cuda::threadIndex(); cuda::blockX() == 0 && i < ", view.sizes[0].print(),
                         "; i += ", int64_t(shape.tile.threads), ")");
      function.body.line("  ", count, "[i] = 0; // for launches behind this one");
      count = PrintedCode("nullptr");
    }
  }
  if (Value scratch = parts.project.getScratch())
    partials = PrintedCode(function.pointer(function.values().view(scratch), "partials", true));
  Identifier type = function.declareStruct("BlockSizes", sizes(shape));
  function.body.line("static_assert(", type, "::shape().sharedBytes() == ", int64_t(shape.sharedBytes()), ");");
  StringRef element = elementName(cast<MemRefType>(convolutions.front().getInput().getType()).getElementType(), false);
  function.body.line("cuda::invertedResidual<", PrintedCode::trusted(element), ", ", type, ">(", printed.front().input,
                     ", ", parts.expand ? printed.front().filter : PrintedCode("nullptr"), ", ", depthwise.filter, ", ",
                     project.filter, ", ", project.output, ", ", project.outputPixel.print(), ", ", partials, ", ",
                     count, ", ", parts.expand ? printed.front().epilogue : PrintedCode("Identity{}"), ", ",
                     depthwise.epilogue, ", ", project.epilogue, ");");
  function.launch.x = (project.images * SizeExpr(int64_t(shape.tilesOfImage()))).print();
  function.launch.y = PrintedCode(int64_t(shape.tile.splits));
  function.launch.threads = shape.tile.threads;
  function.launch.sharedBytes = shape.sharedBytes();
  return Printed{"inverted_residual",
                 std::string(parts.expand ? "expand, " : "") +
                     "depthwise and project, the hidden map in shared memory: " + describeTile(shape.tile)};
}

} // namespace sinter
