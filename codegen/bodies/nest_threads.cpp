// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A nest on a GPU: a thread for each element, or a warp or a block where a reduction is long.
#include "nest_printer.h"

#include "codegen/cuda/split_index.h"
#include "selection_fold.h"

using namespace mlir;

namespace sinter {

bool selectsByWarps(const Nest &nest) {
  constexpr int64_t longRow = 64, manyRows = 8192;
  if (!isSelectionFold(nest))
    return false;
  int64_t rows = 1, length = 1;
  for (auto [size, isReduction] : llvm::zip(nest.sizes, nest.isReduction))
    (isReduction ? length : rows) *= size.constant().value_or(isReduction ? longRow : 1);
  return length >= longRow && rows <= manyRows;
}

LogicalResult NestPrinter::printThreads(ArrayRef<int> parallel) {
  SizeExpr count(1);
  for (int dim : parallel)
    count = count * sizes[dim];
  if (nest.sharing)
    return printSharedReduction(parallel, count);
  bool isSelection = selectsByWarps(nest), isOfWarps = nest.laneUse == LaneUse::Reduction || isSelection;
  function.launchOver(isOfWarps ? count * SizeExpr(32) : count);
  function.need("templates/cuda/device.h");
  if (parallel.empty() && isOfWarps) {
    function.launch.threads = 32;
    return isSelection ? printWarpSelection() : printWarpReduction();
  }
  if (parallel.empty()) {
    function.body.line("if (cuda::threadIndex() != 0)");
    function.body.line("  return;");
    return printElement(false);
  }
  // Quotients of 32 bits are several times as fast.
  bool isNarrow = count.constant().value_or(INT64_MAX) < INT32_MAX - 1024;
  Identifier item = function.names.make("item");
  function.body.line("const ", isNarrow ? PrintedCode("int32_t ") : PrintedCode("int64_t "), item, " = ",
                     isNarrow ? PrintedCode("int32_t(cuda::threadOfGrid<") : PrintedCode("cuda::threadOfGrid<"),
                     function.launch.threads, isOfWarps ? PrintedCode(">() / 32") : PrintedCode(">()"),
                     isNarrow ? PrintedCode(");") : PrintedCode(";"));
  function.body.line("if (", item, " >= ", count.print(), ")");
  function.body.line("  return;");
  if (failed(printIndices(item, parallel)))
    return failure();
  return isSelection ? printWarpSelection() : isOfWarps ? printWarpReduction() : printElement(false);
}

LogicalResult NestPrinter::printWarpSelection() {
  function.need("templates/cuda/warp_reduce.h");
  SmallVector<std::pair<const NestOperand *, Identifier>> outputs;
  SmallVector<Identifier> found;
  for (auto [operand, pointer] : llvm::zip(nest.operands, pointers))
    if (operand.isOutput) {
      outputs.push_back({&operand, pointer});
      found.push_back(function.names.make("found"));
      function.body.line("auto ", found.back(), " = ",
                         body.loadText(operand.argument.getType(), pointer, address(operand), false), ";");
      body.bind(operand.argument, found.back());
    }
  const Identifier &i = variables[reductions.front()];
  PrintedCode size = sizes[reductions.front()].print();
  Identifier visit = function.names.make("visit"), share = function.names.make("share");
  {
    auto block = function.body.blockEnding("};", "const auto ", visit, " = [&](int64_t ", i, ")");
    if (failed(printStage(uint64_t(1) << reductions.front())))
      return failure();
    Operation *yield = nest.body->getTerminator();
    PrintedCode best = body.use(yield->getOperand(0), false), place = body.use(yield->getOperand(1), false);
    function.body.line(found[0], " = ", best, ";");
    function.body.line(found[1], " = ", place, ";");
  }
  Identifier j = function.names.make("j"), own = function.names.make("own"), lane = function.names.make("lane");
  function.body.line("const int64_t ", share, " = (", size, " + 31) / 32, ", own, " = cuda::laneIndex() * ", share,
                     ";");
  function.body.line("for (int64_t ", j, " = ", own, "; ", j, " < ", own, " + ", share, " && ", j, " < ", size, "; ++",
                     j, ")");
  function.body.line("  ", visit, "(", j, ");");
  Identifier kept = function.names.make("kept");
  function.body.line("const auto ", kept, " = ", found[1], ";");
  {
    auto block = function.body.block("for (int ", lane, " = 1; ", lane, " < 32; ++", lane, ")");
    function.body.line("const int64_t ", j, " = cuda::valueOfLane(", kept, ", ", lane, ");");
    function.body.line("if (", lane, " * ", share, " < ", size, ")");
    function.body.line("  ", visit, "(", j, ");");
  }
  auto block = function.body.block("if (cuda::laneIndex() == 0)");
  for (auto [output, value] : llvm::zip(outputs, found))
    body.printStore(output.first->argument.getType(), output.second, address(*output.first), value, false);
  return success();
}

LogicalResult NestPrinter::printWarpReduction() {
  const NestOperand &output = nest.operands.back();
  Type type = output.argument.getType();
  Merge merge = mergeOf(nest.combiner);
  function.need("templates/cuda/warp_reduce.h");
  Identifier part = function.names.make("part");
  function.body.line("auto ", part, " = ", merge.neutral, ";");
  body.bind(output.argument, part);
  Value value =
      nest.combiner->getOperand(0) == output.argument ? nest.combiner->getOperand(1) : nest.combiner->getOperand(0);
  LogicalResult printed = printLoops(reductions, [&]() -> LogicalResult {
    const Identifier &i = variables[nest.lane];
    auto block = function.body.block("for (int64_t ", i, " = cuda::laneIndex(); ", i, " < ", sizes[nest.lane].print(),
                                     "; ", i, " += 32)");
    body.skip(nest.combiner);
    if (failed(printStage(uint64_t(1) << nest.lane)))
      return failure();
    function.body.line(part, " = ", merge.function, "(", part, ", ", body.use(value, false), ");");
    return success();
  });
  if (failed(printed))
    return failure();
  function.body.line(part, " = cuda::combineWarp(", part, ", ", merge.function, ");");
  auto block = function.body.block("if (cuda::laneIndex() == 0)");
  PrintedCode result(merge.function, "(", start(output, pointers.back(), false), ", ", part, ")");
  if (nest.last)
    return printLast(result);
  body.printStore(type, pointers.back(), address(output), result, false);
  return success();
}

LogicalResult NestPrinter::printSharedReduction(ArrayRef<int> parallel, const SizeExpr &results) {
  const NestOperand &output = nest.operands.back();
  const BlockFold &fold = *nest.sharing;
  Merge merge = mergeOf(nest.combiner);
  function.need("templates/cuda/block_fold.h");
  function.launch.threads = fold.threads;
  function.launch.x = results.constant() ? PrintedCode((*results.constant() + fold.columns - 1) / fold.columns)
                                         : PrintedCode("blocksOf(", results.print(), ", ", fold.columns, ")");
  function.launch.sharedBytes = fold.threads / 32 * fold.columns * valueBytes(output.argument.getType());
  if (nest.laneUse == LaneUse::Reduction)
    reductions.push_back(nest.lane);
  SizeExpr elements(1);
  for (int dim : reductions)
    elements = elements * sizes[dim];
  bool isNarrow =
      results.constant().value_or(INT64_MAX) < INT32_MAX / 2 && elements.constant().value_or(INT64_MAX) < INT32_MAX / 2;
  PrintedCode number = isNarrow ? PrintedCode("int32_t") : PrintedCode("int64_t");

  // Behind the last result the last one is computed again.
  Identifier own = function.names.make("own"), item = function.names.make("item");
  if (fold.columns == 1) {
    function.body.line("const ", number, " ", item, " = cuda::blockX();");
    own = item;
  } else {
    function.body.line("const ", number, " ", own, " = ", number, "(cuda::blockX()) * ", fold.columns,
                       " + cuda::threadIndex() % ", fold.columns, ";");
    function.body.line("const ", number, " ", item, " = ", own, " < ", results.print(), " ? ", own, " : ",
                       (results - SizeExpr(1)).print(), ";");
  }
  if (failed(printIndices(item, parallel)))
    return failure();
  Identifier part = function.names.make("part");
  function.body.line("auto ", part, " = ", merge.neutral, ";");
  body.bind(output.argument, part);
  body.skip(nest.combiner);
  if (failed(printOwnElements(part, elements, number, merge)))
    return failure();
  PrintedCode sharers("<", fold.threads, ", ", fold.columns, ">(");
  if (fold.slices > 1) {
    function.launch.y = fold.slices;
    Identifier partials = function.pointer(function.values().view(nest.partials), "partials", true),
               counters = function.pointer(function.values().view(nest.counters), "counters", true);
    function.body.line("if (!cuda::foldSlices", sharers, part, ", ", merge.neutral, ", ", fold.slices, ", ", partials,
                       ", reinterpret_cast<uint32_t *>(", counters, "), ", merge.function, "))");
    function.body.line("  return;");
  } else {
    function.body.line(part, " = cuda::foldColumns", sharers, part, ", ", merge.function, ");");
  }
  PrintedCode isLast("cuda::threadIndex() < ", fold.columns);
  if (fold.columns > 1)
    isLast.append(" && ", own, " < ", results.print());
  auto block = function.body.block("if (", isLast, ")");
  PrintedCode result(merge.function, "(", start(output, pointers.back(), false), ", ", part, ")");
  if (nest.last)
    return printLast(result);
  body.printStore(output.argument.getType(), pointers.back(), address(output), result, false);
  return success();
}

LogicalResult NestPrinter::printOwnElements(const Identifier &part, const SizeExpr &elements, const PrintedCode &number,
                                            const Merge &merge) {
  const BlockFold &fold = *nest.sharing;
  Identifier first = function.names.make("first"), u = function.names.make("u"), place = function.names.make("place"),
             element = function.names.make("element");
  PrintedCode begin =
      fold.columns == 1 ? PrintedCode("cuda::threadIndex()") : PrintedCode("cuda::threadIndex() / ", fold.columns);
  if (fold.slices > 1)
    begin = PrintedCode(begin, " + cuda::blockY() * ", fold.threads / fold.columns);
  auto block = function.body.block("for (", number, " ", first, " = ", begin, "; ", first, " < ", elements.print(),
                                   "; ", first, " += ", fold.parts() * fold.atOnce, ")");
  function.body.line("SINTER_DEVICE_UNROLL");
  auto each = function.body.block("for (int ", u, " = 0; ", u, " < ", fold.atOnce, "; ++", u, ")");
  bool isWhole = elements.constant() && *elements.constant() % (fold.parts() * fold.atOnce) == 0;
  function.body.line("const ", number, " ", isWhole ? element : place, " = ", first, " + ", u, " * ", fold.parts(),
                     ";");
  if (!isWhole)
    function.body.line("const ", number, " ", element, " = ", place, " < ", elements.print(), " ? ", place, " : ",
                       (elements - SizeExpr(1)).print(), ";");
  if (failed(printIndices(element, reductions)))
    return failure();
  bool isFirst = nest.combiner->getOperand(0) == nest.operands.back().argument;
  PrintedCode value = body.use(nest.combiner->getOperand(isFirst ? 1 : 0), false);
  if (!isWhole)
    value = PrintedCode(place, " < ", elements.print(), " ? ", value, " : ", merge.neutral);
  function.body.line(part, " = ", merge.function, "(", part, ", ", value, ");");
  return success();
}

LogicalResult NestPrinter::printIndices(const Identifier &number, ArrayRef<int> dims) {
  SmallVector<std::pair<Identifier, SizeExpr>> split;
  for (int dim : dims)
    split.push_back({variables[dim], sizes[dim]});
  printSplitIndex(function.body, number, split);
  for (int dim : dims)
    if (failed(printStage(uint64_t(1) << dim)))
      return failure();
  return success();
}

} // namespace sinter
