// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of rows that lie behind each other and are shorter than a vector, to one row: lanes hold several rows
// (templates/loops/reduce_columns.h), where the order of merging is free.
#include "nest_printer.h"

#include "dialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace sinter {

bool NestPrinter::isByColumns() const {
  constexpr int64_t leastRows = 8;
  if (nest.laneUse != LaneUse::Parallel || reductions.size() != 1 || splitDim == nest.lane || !nest.combiner ||
      !nest.combiner->getResult(0).getType().isIntOrFloat() || nest.combiner->getResult(0).getType().isInteger(1) ||
      isHeldAsFloat(nest.combiner->getResult(0).getType()) || nest.last || isInParts())
    return false;
  int row = reductions.front();
  int64_t columns = nest.sizes[nest.lane].constant().value_or(0), width = valueBytes(nest.widest);
  if (columns < 2 || columns * width > options.vectorBytes() ||
      nest.sizes[row].constant().value_or(leastRows) < leastRows)
    return false;
  for (const NestOperand &operand : nest.operands) {
    if (operand.isOutput && (operand.view.isHeld || isApart(operand) || &operand != &nest.operands.back()))
      return false;
    if (operand.isOutput || !operand.view.element || !operand.isUsed)
      continue;
    bool isOfAll = operand.strides[row].isConstant(0) && operand.strides[nest.lane].isConstant(0),
         isDense = operand.strides[row].isConstant(columns) && operand.strides[nest.lane].isConstant(1);
    if (!(isOfAll || isDense) || !operand.nonlinear.empty())
      return false;
  }
  return llvm::none_of(nest.body->without_terminator(),
                       [](Operation &op) { return isa<linalg::IndexOp, memref::LoadOp>(op); });
}

LogicalResult NestPrinter::printColumns() {
  const NestOperand &output = nest.operands.back();
  Type type = output.argument.getType();
  Merge merge = mergeOf(nest.combiner);
  function.need("templates/loops/reduce_columns.h");
  const Identifier &i = variables[nest.lane];
  Identifier results = function.names.make("columns");
  int64_t columns = *nest.sizes[nest.lane].constant();
  function.body.line(valueText(type), " ", results, "[", columns, "];");
  Value value =
      nest.combiner->getOperand(0) == output.argument ? nest.combiner->getOperand(1) : nest.combiner->getOperand(0);
  {
    auto block = function.body.blockEnding(PrintedCode("}, ", merge.neutral, ", ", merge.function, ", ", results, ");"),
                                           "reduceColumns<", laneText(), ", ", columns, ">(",
                                           sizes[reductions.front()].print(), ", [&](auto tag, int64_t ", i, ")");
    function.body.line("using V [[maybe_unused]] = typename decltype(tag)::Type;");
    joined = reductions.front();
    body.bind(output.argument, results); // read by nothing but the combiner
    body.skip(nest.combiner);
    if (failed(printStage(uint64_t(1) << nest.lane | uint64_t(1) << reductions.front())))
      return failure();
    function.body.line("return ", body.use(value, true), ";");
    joined = -1;
  }
  auto block = function.body.block("for (int64_t ", i, " = 0; ", i, " < ", columns, "; ++", i, ")");
  body.printStore(type, pointers.back(), address(output),
                  PrintedCode(merge.function, "(", start(output, pointers.back(), false), ", ", results, "[", i, "])"),
                  false);
  return success();
}

} // namespace sinter
