// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three shapes of a nest: parallel dims outermost; then lanes over a parallel dim with reductions inside, or a
// reduction in lanes, or scalars.
#include "nest_print.h"

#include "codegen/cuda/split_index.h"
#include "codegen/text/element_text.h"
#include "dialect.h"
#include "selection_fold.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExpr.h"

using namespace mlir;

namespace sinter {
namespace {

/// The neutral element of an associative operation and the function object of templates/loops/reduce_lanes.h that
/// merges two values.
struct Merge {
  Code neutral, function;
};

Merge mergeOf(Operation *op) {
  Type type = op->getResult(0).getType();
  Code typeName = valueText(type);
  int64_t least = type.isIntOrIndex()
                      ? APInt::getSignedMinValue(type.isIndex() ? 64 : type.getIntOrFloatBitWidth()).getSExtValue()
                      : 0;
  auto integer = [&](int64_t value) { return Code(typeName, "(", Code::integer(value, valueBytes(type) * 8), ")"); };
  auto number = [&](double value) { return Code::number(value, !type.isF64()); };
  double infinity = std::numeric_limits<double>::infinity();
  if (isa<arith::AddFOp>(op))
    return {number(0), "Sum{}"};
  if (isa<arith::MulFOp>(op))
    return {number(1), "Product{}"};
  if (isa<arith::MaximumFOp>(op))
    return {number(-infinity), "Largest{}"};
  if (isa<arith::MinimumFOp>(op))
    return {number(infinity), "Smallest{}"};
  if (isa<arith::AddIOp>(op))
    return {integer(0), "Sum{}"};
  if (isa<arith::MulIOp>(op))
    return {integer(1), "Product{}"};
  if (isa<arith::MaxSIOp>(op))
    return {integer(least), "Largest{}"};
  if (isa<arith::MinSIOp>(op))
    return {integer(-(least + 1)), "Smallest{}"};
  if (isa<arith::AndIOp>(op))
    return {integer(-1), "AllBits{}"};
  return {integer(0), "AnyBits{}"};
}

/// On a GPU: whether a warp finds the best of each row: where threads would have long ones, and be few.
bool selectsByWarps(const Nest &nest) {
  constexpr int64_t longRow = 64, manyRows = 8192;
  if (!isSelectionFold(nest))
    return false;
  int64_t rows = 1, length = 1;
  for (auto [size, isReduction] : llvm::zip(nest.sizes, nest.isReduction))
    (isReduction ? length : rows) *= size.constant().value_or(isReduction ? longRow : 1);
  return length >= longRow && rows <= manyRows;
}

class NestPrinter {
public:
  NestPrinter(const Nest &nest, KernelFunction &function, const CodegenOptions &options)
      : nest(nest), function(function), body(function, options.indexCheck), options(options) {}

  LogicalResult print() {
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

private:
  void nameOperands() {
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

  void prepareBody() {
    body.dims = dependences(nest);
    body.lane = function.isOnDevice() ? -1 : nest.lane; // a thread of a GPU computes scalars
    body.widest = nest.widest;
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

  /// The first parallel dim that is no lane, else the lanes' own, is what threads share.
  void splitWork() {
    int64_t work = 1;
    for (const SizeExpr &size : nest.sizes)
      work *= size.constant().value_or(64);
    bool notesStatus = false;
    nest.body->walk([&](CheckIndexOp) { notesStatus = options.indexCheck == IndexCheck::Error; });
    if (work * static_cast<int64_t>(nest.body->getOperations().size()) < options.leastSharedWork / 4 || notesStatus)
      return;
    for (int dim = 0; dim < static_cast<int>(nest.sizes.size()) && splitDim < 0; ++dim)
      if (!nest.isReduction[dim] && dim != nest.lane && nest.sizes[dim].constant().value_or(2) > 1)
        splitDim = dim;
    if (splitDim < 0 && nest.laneUse == LaneUse::Parallel)
      splitDim = nest.lane;
    if (splitDim >= 0)
      share = function.share(nest.sizes[splitDim], splitDim == nest.lane ? 64 : 1);
  }

  /// Where the loop over a dim begins and ends.
  Code begin(int dim) const { return dim == splitDim ? Code(share.first) : Code(0); }
  Code end(int dim) const { return dim == splitDim ? Code(share.second) : sizes[dim].print(); }

  /// Without iterations of such a dim there still is a result: what a reduction starts from.
  bool isStarted(size_t dim) const { return nest.initial && nest.isReduction[dim]; }

  /// Values that no loop changes are loaded before the loops: not if there is nothing to load.
  void printEmptyGuard() {
    SmallVector<Code> conditions;
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (!size.constant() && !isStarted(dim))
        conditions.push_back(Code(size.print(), " <= 0"));
    if (conditions.empty())
      return;
    function.body.line("if (", joinCode(conditions, " || "), ")");
    function.body.line("  return;");
  }

  Code address(const NestOperand &operand) {
    SizeExpr linear = function.local(operand.base);
    for (size_t dim = 0; dim < nest.sizes.size(); ++dim)
      linear = linear + function.local(operand.strides[dim]) * SizeExpr(variables[dim]);
    Code text = linear.print();
    for (const auto &[expr, stride] : operand.nonlinear)
      text.append(" + (", body.affineText(expr, body.loopVariables, {}), ") * (", function.local(stride).print(), ")");
    return text;
  }

  /// Loads and operations that are known once the loops of `dims` are entered.
  LogicalResult printStage(uint64_t dims) {
    scope |= dims;
    for (auto [operand, pointer] : llvm::zip(nest.operands, pointers)) {
      bool ready = (body.dims.lookup(operand.argument) & ~scope) == 0;
      if (operand.view.element && operand.isUsed && ready && !body.isBound(operand.argument))
        body.printLoad(operand.argument, pointer, address(operand), body.varies(operand.argument));
    }
    return body.printReady(*nest.body, scope);
  }

  LogicalResult printLoops(ArrayRef<int> dims, llvm::function_ref<LogicalResult()> inner) {
    if (dims.empty())
      return inner();
    const Identifier &i = variables[dims.front()];
    auto block = function.body.block("for (int64_t ", i, " = ", begin(dims.front()), "; ", i, " < ", end(dims.front()),
                                     "; ++", i, ")");
    if (failed(printStage(uint64_t(1) << dims.front())))
      return failure();
    return printLoops(dims.drop_front(), inner);
  }

  /// On a GPU a thread has one iteration of the parallel dims: item = i0 n1 n2 + i1 n2 + i2.
  LogicalResult printThreads(ArrayRef<int> parallel) {
    SizeExpr count(1);
    for (int dim : parallel)
      count = count * sizes[dim];
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
    function.body.line("const ", isNarrow ? Code("int32_t ") : Code("int64_t "), item, " = ",
                       isNarrow ? Code("int32_t(cuda::threadOfGrid<") : Code("cuda::threadOfGrid<"),
                       function.launch.threads, isOfWarps ? Code(">() / 32") : Code(">()"),
                       isNarrow ? Code(");") : Code(";"));
    function.body.line("if (", item, " >= ", count.print(), ")");
    function.body.line("  return;");
    SmallVector<std::pair<Identifier, SizeExpr>> split;
    for (int dim : parallel)
      split.push_back({variables[dim], sizes[dim]});
    printSplitIndex(function.body, item, split);
    for (int dim : parallel)
      if (failed(printStage(uint64_t(1) << dim)))
        return failure();
    return isSelection ? printWarpSelection() : isOfWarps ? printWarpReduction() : printElement(false);
  }

  /// Each lane folds a part of the dim; then what each has found is looked at in the parts' order.
  LogicalResult printWarpSelection() {
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
    Code size = sizes[reductions.front()].print();
    Identifier visit = function.names.make("visit"), share = function.names.make("share");
    {
      auto block = function.body.blockEnding("};", "const auto ", visit, " = [&](int64_t ", i, ")");
      if (failed(printStage(uint64_t(1) << reductions.front())))
        return failure();
      Operation *yield = nest.body->getTerminator();
      Code best = body.use(yield->getOperand(0), false), place = body.use(yield->getOperand(1), false);
      function.body.line(found[0], " = ", best, ";");
      function.body.line(found[1], " = ", place, ";");
    }
    Identifier j = function.names.make("j"), own = function.names.make("own"), lane = function.names.make("lane");
    function.body.line("const int64_t ", share, " = (", size, " + 31) / 32, ", own, " = cuda::laneIndex() * ", share,
                       ";");
    function.body.line("for (int64_t ", j, " = ", own, "; ", j, " < ", own, " + ", share, " && ", j, " < ", size,
                       "; ++", j, ")");
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

  /// The lanes of a warp take turns along the dim that runs in lanes; their parts are merged at the end.
  LogicalResult printWarpReduction() {
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
    Code result(merge.function, "(", start(output, pointers.back(), false), ", ", part, ")");
    if (nest.last)
      return printLast(result);
    body.printStore(type, pointers.back(), address(output), result, false);
    return success();
  }

  /// What a reduction starts from.
  Code start(const NestOperand &output, const Identifier &pointer, bool inLanes) {
    Type type = output.argument.getType();
    if (nest.initial)
      return Code(valueText(type), "(", function.values().scalar(nest.initial), ")");
    return body.loadText(type, pointer, address(output), inLanes);
  }

  /// What the nest behind the reduction does with a result.
  LogicalResult printLast(const Code &result) {
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

  LogicalResult printOuter() {
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
    return printLoops(parallel, [&] {
      if (nest.laneUse == LaneUse::Parallel)
        return printParallelLanes();
      return nest.laneUse == LaneUse::Reduction ? printLaneReduction() : printElement(false);
    });
  }

  LogicalResult printParallelLanes() {
    const Identifier &i = variables[nest.lane];
    Code range = nest.lane == splitDim ? Code("mapRange<", laneText(), ">(", share.first, ", ", share.second)
                                       : Code("map<", laneText(), ">(", sizes[nest.lane].print());
    auto block = function.body.blockEnding("});", range, ", [&](auto tag, int64_t ", i, ")");
    function.body.line("using V [[maybe_unused]] = typename decltype(tag)::Type;");
    if (failed(printStage(uint64_t(1) << nest.lane)))
      return failure();
    return printElement(true);
  }

  Code laneText() const { return nest.widest.isInteger(1) ? Code("int8_t") : valueText(nest.widest); }

  /// One element (or one vector of them) of each output: reductions around the body, if there are any.
  LogicalResult printElement(bool inLanes) {
    Operation *yield = nest.body->getTerminator();
    SmallVector<Code> accumulators;
    bool accumulate = nest.hasReductions();
    for (auto [operand, pointer] : llvm::zip(nest.operands, pointers)) {
      if (!operand.isOutput || !accumulate)
        continue;
      Identifier accumulator = function.names.make("sum");
      function.body.line("auto ", accumulator, " = ", start(operand, pointer, inLanes), ";");
      body.bind(operand.argument, accumulator);
      accumulators.push_back(accumulator);
    }
    auto results = [&](bool store) {
      size_t next = 0;
      for (auto [operand, pointer] : llvm::zip(nest.operands, pointers)) {
        if (!operand.isOutput)
          continue;
        Code value = store && accumulate ? accumulators[next] : body.use(yield->getOperand(next), inLanes);
        if (store)
          body.printStore(operand.argument.getType(), pointer, address(operand), value, inLanes);
        else
          pending.push_back(value);
        ++next;
      }
    };
    if (accumulate) {
      LogicalResult printed = printLoops(reductions, [&] {
        results(false);
        // All results are known before any accumulator changes.
        for (auto [accumulator, value] : llvm::zip(accumulators, pending))
          if (!(accumulator == value))
            function.body.line(accumulator, " = ", value, ";");
        return success();
      });
      if (failed(printed))
        return failure();
    }
    if (nest.last)
      return printLast(accumulators.front());
    results(true);
    return success();
  }

  /// The accumulator stays one value; the innermost dim goes through lanes, whose order templates/loops/reduce_lanes.h
  /// states.
  LogicalResult printLaneReduction() {
    const NestOperand &output = nest.operands.back();
    Type type = output.argument.getType();
    Merge merge = mergeOf(nest.combiner);
    function.need("templates/loops/reduce_lanes.h");
    Identifier accumulator = function.names.make("sum");
    function.body.line("auto ", accumulator, " = ", body.loadText(type, pointers.back(), address(output), false), ";");
    body.bind(output.argument, accumulator);
    Value value =
        nest.combiner->getOperand(0) == output.argument ? nest.combiner->getOperand(1) : nest.combiner->getOperand(0);
    LogicalResult printed = printLoops(reductions, [&]() -> LogicalResult {
      const Identifier &i = variables[nest.lane];
      auto block = function.body.blockEnding(Code("}, ", merge.neutral, ", ", merge.function, "));"), accumulator,
                                             " = ", merge.function, "(", accumulator, ", reduceLanes<", laneText(),
                                             ">(", sizes[nest.lane].print(), ", [&](auto tag, int64_t ", i, ")");
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

  const Nest &nest;
  KernelFunction &function;
  BodyPrinter body;
  std::vector<Identifier> pointers, variables;
  std::vector<SizeExpr> sizes;
  SmallVector<int> reductions;
  SmallVector<Code> pending;
  uint64_t scope = 0;
  const CodegenOptions &options;
  int splitDim = -1;
  std::pair<Identifier, Identifier> share;
};

} // namespace

LogicalResult printNest(const Nest &nest, KernelFunction &function, const CodegenOptions &options) {
  return NestPrinter(nest, function, options).print();
}

Code describeNest(const Nest &nest, bool isOnDevice) {
  if (isOnDevice && selectsByWarps(nest))
    return "a warp for each element";
  // One element that is added up from many, by no operation that lanes could share.
  bool isOfOneThread = nest.hasReductions() && llvm::all_of(nest.isReduction, [](bool each) { return each; });
  if (isOnDevice && isOfOneThread && nest.laneUse != LaneUse::Reduction)
    return "one thread: no warp reduces it";
  if (isOnDevice)
    return nest.laneUse == LaneUse::Reduction ? Code("a warp for each element") : Code("a thread for each element");
  if (nest.laneUse == LaneUse::Parallel)
    return "loops, lanes along a contiguous dim";
  return nest.laneUse == LaneUse::Reduction ? Code("loops, reduction in lanes") : Code("scalar loops");
}

} // namespace sinter
