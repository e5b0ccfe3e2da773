// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three shapes of a nest: parallel dims outermost; then lanes over a parallel dim with reductions inside, or a
// reduction in lanes, or scalars.
#include "nest_print.h"

#include "dialect.h"
#include "dim_to_share.h"
#include "lane_split.h"
#include "nest_lanes.h"
#include "nest_printer.h"

#include "mlir/IR/AffineExpr.h"

using namespace mlir;

namespace sinter {

LogicalResult NestPrinter::print() {
  for (auto [dim, size] : llvm::enumerate(nest.sizes))
    if (size.isConstant(0) && !isStarted(dim))
      return success(); // no iterations, no writes
  nameOperands();
  prepareBody();
  if (options.threads > 1 && !function.isOnDevice())
    splitWork();
  printEmptyGuard();
  return printOuter();
}

void NestPrinter::nameOperands() {
  const char *inputNames[] = {"a", "b", "c", "d", "e"};
  size_t input = 0;
  for (const NestOperand &operand : nest.operands) {
    Identifier pointer;
    if (operand.view.isHeld) {
      pointers.push_back(pointer);
      continue;
    }
    if (operand.view.element && operand.isOutput)
      pointer = function.pointer(operand.view, "y", true);
    else if (operand.view.element && operand.isUsed)
      pointer = function.pointer(operand.view, input < 5 ? StringRef(inputNames[input++]) : StringRef("x"), false);
    else if (!operand.view.element && operand.isUsed)
      body.bind(operand.argument, function.scalar(operand.operand->get()));
    pointers.push_back(pointer);
  }
}

void NestPrinter::prepareBody() {
  body.dims = isInParts() ? variantOf(nest, nest.split, nest.lane, std::nullopt).dims : dependences(nest);
  body.lane = function.isOnDevice() ? -1 : nest.lane; // a thread of a GPU computes scalars
  body.widest = nest.widest;
  body.movesHalfs = !function.isOnDevice() && onlyMovesHalfs(nest);
  for (size_t dim = 0; dim < nest.sizes.size(); ++dim) {
    variables.push_back(function.names.make("i" + std::to_string(dim)));
    sizes.push_back(function.local(nest.sizes[dim]));
  }
  for (int dim : nest.dimOf)
    body.loopVariables.push_back(dim < 0 ? SizeExpr(0) : SizeExpr(variables[dim]));
  if (body.lane >= 0)
    body.laneVariable = variables[nest.lane];
  function.need("templates/loops/map.h");
  function.need("runtime-lite/scalar.h");
}

void NestPrinter::splitWork() {
  int64_t work = 1;
  for (const SizeExpr &size : nest.sizes)
    work *= size.constant().value_or(64);
  bool notesStatus = false;
  nest.body->walk([&](CheckIndexOp) { notesStatus = options.indexCheck == IndexCheck::Error; });
  if (work * static_cast<int64_t>(nest.body->getOperations().size()) < options.leastSharedWork / 4 || notesStatus)
    return;
  std::optional<unsigned> dim = dimToShare(nest.sizes, options.threads, [&](unsigned dim) {
    return !nest.isReduction[dim] && static_cast<int>(dim) != nest.lane;
  });
  if (dim)
    splitDim = static_cast<int>(*dim);
  if (splitDim < 0 && nest.laneUse == LaneUse::Parallel)
    splitDim = nest.lane;
  if (splitDim >= 0)
    share = function.share(nest.sizes[splitDim], splitDim == nest.lane ? 64 : 1);
}

void NestPrinter::printEmptyGuard() {
  SmallVector<PrintedCode> conditions;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!size.constant() && !isStarted(dim))
      conditions.push_back(PrintedCode(size.print(), " <= 0"));
  if (conditions.empty())
    return;
  function.body.line("if (", joinCode(conditions, " || "), ")");
  function.body.line("  return;");
}

PrintedCode NestPrinter::address(const NestOperand &operand) {
  SizeExpr linear = function.local(operand.base);
  for (int dim = 0; dim < static_cast<int>(nest.sizes.size()); ++dim)
    if (dim != joined)
      linear = linear + function.local(operand.strides[dim]) * SizeExpr(variables[dim]);
  PrintedCode text = linear.print();
  for (const auto &[expr, stride] : operand.nonlinear)
    text.append(" + (", body.affineText(expr, body.loopVariables, {}), ") * (", function.local(stride).print(), ")");
  return text;
}

bool NestPrinter::isApart(const NestOperand &operand) const { return !operand.strides[nest.lane].isConstant(1); }

PrintedCode NestPrinter::stepOfLanes(const NestOperand &operand) {
  return function.local(operand.strides[nest.lane]).print();
}

LogicalResult NestPrinter::printStage(uint64_t dims) {
  scope |= dims;
  for (auto [operand, pointer] : llvm::zip(nest.operands, pointers)) {
    bool ready = (body.dims.lookup(operand.argument) & ~scope) == 0;
    if (!operand.view.element || !operand.isUsed || !ready || body.isBound(operand.argument) ||
        !body.isNeeded(operand.argument))
      continue;
    bool inLanes = body.varies(operand.argument);
    if (inLanes && isApart(operand))
      body.printStridedLoad(operand.argument, pointer, address(operand), stepOfLanes(operand));
    else
      body.printLoad(operand.argument, pointer, address(operand), inLanes);
  }
  return body.printReady(*nest.body, scope);
}

LogicalResult NestPrinter::printLoops(ArrayRef<int> dims, llvm::function_ref<LogicalResult()> inner) {
  if (dims.empty())
    return inner();
  const Identifier &i = variables[dims.front()];
  auto block = function.body.block("for (int64_t ", i, " = ", begin(dims.front()), "; ", i, " < ", end(dims.front()),
                                   "; ++", i, ")");
  if (failed(printStage(uint64_t(1) << dims.front())))
    return failure();
  return printLoops(dims.drop_front(), inner);
}

PrintedCode NestPrinter::start(const NestOperand &output, const Identifier &pointer, bool inLanes) {
  Type type = output.argument.getType();
  if (nest.initial && function.isOnDevice())
    return PrintedCode(valueText(type), "(", function.values().scalar(nest.initial), ")");
  if (nest.initial)
    return body.use(nest.initial, inLanes);
  return body.loadText(type, pointer, address(output), inLanes);
}

LogicalResult NestPrinter::printLast(const PrintedCode &result) {
  BodyPrinter ending(function, options.indexCheck);
  Identifier name = function.names.make("result");
  function.body.line("const auto ", name, " = ", result, ";");
  ending.bind(nest.resultInLast, name);
  for (const NestOperand &operand : nest.operandsOfLast) {
    if (!operand.isUsed || operand.isOutput)
      continue;
    if (operand.view.element)
      ending.printLoad(operand.argument, function.pointer(operand.view, "e", false), address(operand), false);
    else
      ending.bind(operand.argument, function.scalar(operand.operand->get()));
  }
  if (failed(ending.printReady(*nest.last, ~uint64_t(0))))
    return failure();
  const NestOperand &output = nest.operandsOfLast.back();
  ending.printStore(output.argument.getType(), function.pointer(output.view, "y", true), address(output),
                    ending.use(nest.last->getTerminator()->getOperand(0), false), false);
  return success();
}

LogicalResult NestPrinter::printOuter() {
  SmallVector<int> parallel;
  bool isByThreads = function.isOnDevice() && nest.laneUse == LaneUse::Parallel;
  for (int dim = 0; dim < static_cast<int>(nest.sizes.size()); ++dim) {
    if (dim == nest.lane)
      continue;
    (nest.isReduction[dim] ? reductions : parallel).push_back(dim);
  }
  if (isByThreads)
    parallel.push_back(nest.lane); // neighbours in memory are neighbours among threads
  if (failed(printStage(0)))
    return failure();
  if (function.isOnDevice())
    return printThreads(parallel);
  SmallVector<int> inside;
  if (int inner = innerLoop(parallel); inner >= 0) {
    llvm::erase(parallel, inner);
    (nest.laneUse == LaneUse::Parallel ? inside : parallel).push_back(inner);
  }
  bool byRows = inside.empty() && isByRows(), byColumns = inside.empty() && !byRows && isByColumns();
  return printLoops(parallel, [&] {
    if (byRows)
      return printRows();
    if (byColumns)
      return printColumns();
    if (nest.laneUse == LaneUse::Parallel)
      return printParallelLanes(inside);
    if (nest.laneUse == LaneUse::Selection)
      return printLaneSelection();
    return nest.laneUse == LaneUse::Reduction ? printLaneReduction() : printElement(false);
  });
}

LogicalResult NestPrinter::printParallelLanes(ArrayRef<int> inside) {
  if (isInParts())
    return printParts(begin(nest.lane), end(nest.lane),
                      [&](NestPrinter &part, const PrintedCode &first, const PrintedCode &last) {
                        return part.printLanes(PrintedCode("mapPart<", laneText(), ">(", first, ", ", last), inside);
                      });
  // Of few elements the rest that fills no vector counts; the narrower they are, the longer it is.
  constexpr int64_t few = 256, fewVectors = 16;
  int64_t lanes = options.vectorBytes() / std::max<int64_t>(1, valueBytes(nest.widest));
  bool isFew = nest.lane != splitDim && sizes[nest.lane].constant() &&
               *sizes[nest.lane].constant() < std::max(few, fewVectors * lanes);
  PrintedCode count = isFew ? PrintedCode("Fixed<", sizes[nest.lane].print(), ">{}") : sizes[nest.lane].print();
  PrintedCode range = nest.lane == splitDim
                          ? PrintedCode("mapRange<", laneText(), ">(", share.first, ", ", share.second)
                          : PrintedCode("map<", laneText(), ">(", count);
  return printLanes(range, inside);
}

LogicalResult NestPrinter::printLanes(const PrintedCode &range, ArrayRef<int> inside) {
  const Identifier &i = variables[nest.lane];
  auto block = function.body.blockEnding("});", range, ", [&](auto tag, int64_t ", i, ")");
  function.body.line("using V [[maybe_unused]] = typename decltype(tag)::Type;");
  if (failed(printStage(uint64_t(1) << nest.lane)))
    return failure();
  return printLoops(inside, [&] { return printElement(true); });
}

LogicalResult NestPrinter::printElement(bool inLanes) {
  struct Output {
    const NestOperand &operand;
    const Identifier &pointer;
    Value result;
    std::optional<Identifier> sum; ///< of a reduction
  };
  std::vector<Output> outputs;
  for (auto [operand, pointer] : llvm::zip(nest.operands, pointers)) {
    if (!operand.isOutput)
      continue;
    Output output{operand, pointer, nest.body->getTerminator()->getOperand(outputs.size()), std::nullopt};
    if (nest.hasReductions() && !isOfEachStep(nest, operand)) {
      output.sum = function.names.make("sum");
      function.body.line("auto ", *output.sum, " = ", start(operand, pointer, inLanes), ";");
      body.bind(operand.argument, *output.sum);
    }
    outputs.push_back(output);
  }
  auto store = [&](const Output &output, const PrintedCode &value) {
    if (inLanes && isApart(output.operand))
      body.printStridedStore(output.pointer, address(output.operand), stepOfLanes(output.operand), value);
    else
      body.printStore(output.operand.argument.getType(), output.pointer, address(output.operand), value, inLanes);
  };
  // All results are known before any sum changes.
  auto step = [&] {
    std::vector<PrintedCode> values;
    for (const Output &output : outputs)
      values.push_back(body.use(output.result, inLanes));
    for (auto [output, value] : llvm::zip(outputs, values)) {
      if (!output.sum)
        store(output, value);
      else if (!(PrintedCode(*output.sum) == value))
        function.body.line(*output.sum, " = ", value, ";");
    }
    return success();
  };
  if (!nest.hasReductions())
    return step();
  if (failed(printLoops(reductions, step)))
    return failure();
  if (nest.last)
    return printLast(*outputs.front().sum);
  for (const Output &output : outputs)
    if (output.sum)
      store(output, *output.sum);
  return success();
}

LogicalResult NestPrinter::printLaneReduction() {
  const NestOperand &output = nest.operands.back();
  Type type = output.argument.getType();
  Merge merge = mergeOf(nest.combiner);
  function.need("templates/loops/reduce_lanes.h");
  Identifier accumulator = function.names.make("sum");
  function.body.line("auto ", accumulator, " = ", start(output, pointers.back(), false), ";");
  body.bind(output.argument, accumulator);
  Value value =
      nest.combiner->getOperand(0) == output.argument ? nest.combiner->getOperand(1) : nest.combiner->getOperand(0);
  LogicalResult printed = printLoops(reductions, [&]() -> LogicalResult {
    const Identifier &i = variables[nest.lane];
    auto block = function.body.blockEnding(PrintedCode("}, ", merge.neutral, ", ", merge.function, "));"), accumulator,
                                           " = ", merge.function, "(", accumulator, ", reduceLanes<", laneText(), ">(",
                                           sizes[nest.lane].print(), ", [&](auto tag, int64_t ", i, ")");
    function.body.line("using V [[maybe_unused]] = typename decltype(tag)::Type;");
    body.skip(nest.combiner);
    if (failed(printStage(uint64_t(1) << nest.lane)))
      return failure();
    function.body.line("return ", body.use(value, true), ";");
    return success();
  });
  if (failed(printed))
    return failure();
  body.printStore(type, pointers.back(), address(output), accumulator, false);
  return success();
}

LogicalResult printNest(const Nest &nest, KernelFunction &function, const CodegenOptions &options) {
  return NestPrinter(nest, function, options).print();
}

PrintedCode describeNest(const Nest &nest, bool isOnDevice) {
  if (isOnDevice && nest.sharing) {
    const BlockFold &fold = *nest.sharing;
    PrintedCode blocks = fold.slices > 1 ? PrintedCode(fold.slices, " blocks of ") : PrintedCode("a block of ");
    return fold.columns == 1 ? PrintedCode(blocks, fold.threads, " threads for each element")
                             : PrintedCode(blocks, fold.threads, " threads for ", fold.columns, " elements");
  }
  if (isOnDevice && selectsByWarps(nest))
    return "a warp for each element";
  // One element that is added up from many, by no operation that lanes could share.
  bool isOfOneThread = nest.hasReductions() && llvm::all_of(nest.isReduction, [](bool each) { return each; });
  if (isOnDevice && isOfOneThread && nest.laneUse != LaneUse::Reduction)
    return "one thread: no warp reduces it";
  if (isOnDevice)
    return nest.laneUse == LaneUse::Reduction ? PrintedCode("a warp for each element")
                                              : PrintedCode("a thread for each element");
  if (nest.laneUse == LaneUse::Parallel)
    return nest.split.comparisons.empty() ? PrintedCode("loops, lanes along a contiguous dim")
                                          : PrintedCode("loops, lanes along a contiguous dim, in parts");
  if (nest.laneUse == LaneUse::Selection)
    return "loops, the best of each lane";
  return nest.laneUse == LaneUse::Reduction ? PrintedCode("loops, reduction in lanes") : PrintedCode("scalar loops");
}

} // namespace sinter
