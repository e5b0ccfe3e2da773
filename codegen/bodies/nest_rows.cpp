// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions whose steps are rows that lie far apart: sums over a first axis. Reading a vector of each row, one after
// the other, would touch a page for each, and no cache would know what comes next.
#include "dialect.h"
#include "nest_printer.h"

using namespace mlir;

namespace sinter {

bool NestPrinter::isByRows() const {
  constexpr int64_t farBytes = 2048, leastLanes = 512, leastRows = 4;
  if (nest.laneUse != LaneUse::Parallel || reductions.size() != 1 || nest.initial || nest.last ||
      nest.sizes[nest.lane].constant().value_or(0) < leastLanes ||
      nest.sizes[reductions.front()].constant().value_or(0) < leastRows)
    return false;
  bool isFar = false;
  int outputs = 0;
  for (const NestOperand &operand : nest.operands) {
    if (!operand.view.element || !(operand.isOutput || operand.isUsed))
      continue;
    if (operand.view.isHeld || !operand.nonlinear.empty())
      return false;
    Type type = operand.argument.getType();
    int64_t bytes = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() / 8 : 0;
    if (operand.isOutput) { // what is added up so far is stored without loss
      if (++outputs > 1 || bytes < 4 || isApart(operand) || isOfEachStep(operand))
        return false;
    } else {
      isFar |= !isApart(operand) && operand.strides[reductions.front()].constant().value_or(0) * bytes >= farBytes;
    }
  }
  return isFar && outputs == 1;
}

LogicalResult NestPrinter::printRows() {
  constexpr int64_t together = 1024; // results stay in the first cache
  const Identifier first = function.names.make("first"), last = function.names.make("last"), &i = variables[nest.lane];
  auto tiles = function.body.block("for (int64_t ", first, " = ", begin(nest.lane), "; ", first, " < ", end(nest.lane),
                                   "; ", first, " += ", together, ")");
  function.body.line("const int64_t ", last, " = ", first, " + ", together, " < ", end(nest.lane), " ? ", first, " + ",
                     together, " : ", end(nest.lane), ";");
  return printLoops(reductions, [&]() -> LogicalResult {
    auto row = function.body.blockEnding("});", "mapRange<", laneText(), ">(", first, ", ", last,
                                         ", [&](auto tag, int64_t ", i, ")");
    function.body.line("using V [[maybe_unused]] = typename decltype(tag)::Type;");
    const NestOperand &output = *llvm::find_if(nest.operands, [](const NestOperand &each) { return each.isOutput; });
    const Identifier &pointer = pointers[size_t(&output - nest.operands.data())];
    Identifier sum = function.names.make("sum");
    function.body.line("const auto ", sum, " = ", start(output, pointer, true), ";");
    body.bind(output.argument, sum);
    if (failed(printStage(uint64_t(1) << nest.lane)))
      return failure();
    body.printStore(output.argument.getType(), pointer, address(output),
                    body.use(nest.body->getTerminator()->getOperand(0), true), true);
    return success();
  });
}

} // namespace sinter
