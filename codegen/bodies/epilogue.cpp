// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "epilogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

namespace sinter {
namespace {

class EpiloguePrinter {
public:
  EpiloguePrinter(KernelFunction &function, Block &block, const Identifier &sum, const EpilogueCoordinates &coordinates,
                  IndexCheck indexCheck)
      : function(function), block(block), sum(sum), at(coordinates), body(function, indexCheck) {
    if (at.block) {
      outer = function.names.make("block");
      inner = function.names.make("inner");
    }
  }

  LogicalResult print(ValueRange inputs, ArrayAttr maps) {
    BlockArgument accumulator = block.getArgument(0);
    body.lane = 0;
    body.laneVariable = at.lane;
    body.widest = accumulator.getType();
    body.dims[accumulator] = 1;
    body.bind(accumulator, sum);
    function.body.line("using V [[maybe_unused]] = decltype(", sum, ");");
    if (at.block) {
      function.body.line("[[maybe_unused]] const int64_t ", outer, " = ", at.lane, " / ", at.block, ", ", inner, " = ",
                         at.lane, " % ", at.block, ";");
    }
    for (auto [i, input] : llvm::enumerate(inputs)) {
      BlockArgument argument = block.getArgument(static_cast<unsigned>(i) + 1);
      if (argument.use_empty())
        continue;
      if (!isa<MemRefType>(input.getType()))
        body.bind(argument, function.scalar(input));
      else if (failed(printInput(argument, input, cast<AffineMapAttr>(maps[i]).getValue())))
        return failure();
    }
    for (Operation &op : block.without_terminator()) {
      uint64_t mask = 0;
      for (Value operand : op.getOperands())
        mask |= body.dims.lookup(operand);
      for (Value result : op.getResults())
        body.dims[result] = mask;
    }
    // Who stores a result makes it as narrow as its element, of several vectors at once where that is less work.
    Value result = block.getTerminator()->getOperand(0);
    if (auto narrowed = result.getDefiningOp<arith::TruncIOp>(); narrowed && narrowed->hasOneUse() &&
                                                                 result.getType().isInteger(8) &&
                                                                 narrowed.getIn().getType().isInteger(32)) {
      body.skip(narrowed);
      result = narrowed.getIn();
    }
    if (failed(body.printReady(block, 1)))
      return failure();
    function.body.line("return ", body.use(result, true), ";");
    return success();
  }

private:
  /// The address of an input's element, and how far it moves from lane to lane.
  LogicalResult printInput(BlockArgument argument, Value input, AffineMap map) {
    const View &view = function.values().view(input);
    SizeExpr address;
    std::vector<SizeExpr> perDim(at.dims.size());
    for (auto [result, viewStride] : llvm::zip(map.getResults(), view.strides)) {
      if (auto constant = dyn_cast<AffineConstantExpr>(result)) {
        address = address + function.local(viewStride) * SizeExpr(constant.getValue());
        continue;
      }
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim)
        return emitError(input.getLoc(), "an epilogue's map must select dims");
      perDim[dim.getPosition()] = perDim[dim.getPosition()] + function.local(viewStride);
    }
    SizeExpr step;
    for (size_t d = 0; d < at.dims.size(); ++d) {
      if (at.block && (d == at.blockDim || d == at.innerDim))
        continue;
      address = address + perDim[d] * at.dims[d];
    }
    if (at.block) {
      const SizeExpr &blockStride = perDim[at.blockDim], &innerStride = perDim[at.innerDim];
      if (blockStride == innerStride * SizeExpr(at.block))
        address = address + innerStride * SizeExpr(at.lane);
      else
        address = address + blockStride * SizeExpr(outer) + innerStride * SizeExpr(inner);
      step = innerStride;
    } else {
      step = *address.coefficient(at.lane);
    }
    Identifier pointer = function.pointer(view, "e", false);
    bool inLanes = !step.isConstant(0);
    if (inLanes)
      body.dims[argument] = 1;
    if (!inLanes || step.isConstant(1))
      body.printLoad(argument, pointer, address.print(), inLanes);
    else
      body.printStridedLoad(argument, pointer, address.print(), step.print());
    return success();
  }

  KernelFunction &function;
  Block &block;
  const Identifier &sum;
  const EpilogueCoordinates &at;
  BodyPrinter body;
  Identifier outer, inner;
};

/// Whether `name` occurs in `text` as a word.
bool mentions(StringRef text, StringRef name) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = text.find(name); at != StringRef::npos; at = text.find(name, at + 1)) {
    size_t end = at + name.size();
    if ((at == 0 || !isWord(text[at - 1])) && (end == text.size() || !isWord(text[end])))
      return true;
  }
  return false;
}

} // namespace

FailureOr<PrintedCode> printEpilogue(KernelFunction &function, Block &block, ValueRange inputs, ArrayAttr maps,
                                     const EpilogueCoordinates &coordinates, IndexCheck indexCheck) {
  Operation *yield = block.getTerminator();
  if (yield->getNumOperands() != 1)
    return yield->emitOpError("an epilogue yields one value");
  if (yield->getOperand(0) == block.getArgument(0)) {
    function.need("templates/loops/lanes.h");
    return PrintedCode("Identity{}");
  }
  function.need("runtime-lite/scalar.h");
  Printer around = std::move(function.body);
  function.body = Printer();
  Identifier sum = function.names.make("sum");
  LogicalResult printed = EpiloguePrinter(function, block, sum, coordinates, indexCheck).print(inputs, maps);
  std::string text = function.body.take();
  function.body = std::move(around);
  if (failed(printed))
    return failure();
  Identifier name = function.names.make("epilogue");
  std::vector<PrintedCode> parameters = {PrintedCode("auto ", sum)};
  for (const Identifier &parameter : coordinates.parameters)
    parameters.push_back(mentions(text, parameter.text()) ? PrintedCode("int64_t ", parameter)
                                                          : PrintedCode("int64_t"));
  auto lambda = function.body.blockEnding("};", "const auto ", name, " = [=](", joinCode(parameters), ")");
  function.body.lines(PrintedCode::trusted(text));
  return PrintedCode(name);
}

} // namespace sinter
