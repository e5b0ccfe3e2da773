// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions whose steps are rows that lie far apart: sums over a first axis. Reading a vector of each row, one after
// the other, would touch a page for each, and no cache would know what comes next.
#include "dialect.h"
#include "nest_lanes.h"
#include "nest_printer.h"

using namespace mlir;

namespace sinter {

bool isOfEachStep(const Nest &nest, const NestOperand &output) {
  auto movesWith = [&](int dim) {
    bool isRead = llvm::any_of(llvm::enumerate(nest.dimOf), [&](auto original) {
      return original.value() == dim && llvm::any_of(output.nonlinear, [&](const auto &part) {
               return part.first.isFunctionOfDim(original.index());
             });
    });
    return isRead || !output.strides[dim].isConstant(0);
  };
  for (int dim = 0; dim < static_cast<int>(nest.sizes.size()); ++dim)
    if (nest.isReduction[dim] && movesWith(dim))
      return true;
  return false;
}

bool sumsInMemory(const Nest &nest, int lane) {
  if (nest.last)
    return false;
  int outputs = 0;
  for (const NestOperand &operand : nest.operands) {
    if (!operand.view.element || !(operand.isOutput || operand.isUsed))
      continue;
    if (operand.view.isHeld || !operand.nonlinear.empty())
      return false;
    Type type = operand.argument.getType();
    if (operand.isOutput && (++outputs > 1 || !type.isIntOrFloat() || type.getIntOrFloatBitWidth() < 32 ||
                             !operand.strides[lane].isConstant(1) || isOfEachStep(nest, operand)))
      return false;
  }
  return outputs == 1;
}

/// Of a nest that sums in memory.
static const NestOperand &outputOf(const Nest &nest) {
  return *llvm::find_if(nest.operands, [](const NestOperand &each) { return each.isOutput; });
}

bool NestPrinter::isByRows() const {
  constexpr int64_t farBytes = 2048, leastLanes = 512, leastRows = 4;
  if (isInParts())
    return nest.hasReductions();
  if (nest.laneUse != LaneUse::Parallel || reductions.size() != 1 || !sumsInMemory(nest, nest.lane) ||
      nest.sizes[nest.lane].constant().value_or(0) < leastLanes ||
      nest.sizes[reductions.front()].constant().value_or(0) < leastRows)
    return false;
  return llvm::any_of(nest.operands, [&](const NestOperand &operand) {
    if (!operand.view.element || operand.isOutput || !operand.isUsed || isApart(operand))
      return false;
    Type type = operand.argument.getType();
    int64_t bytes = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() / 8 : 0;
    return operand.strides[reductions.front()].constant().value_or(0) * bytes >= farBytes;
  });
}

LogicalResult NestPrinter::printRows() {
  constexpr int64_t together = 1024; // results stay in the first cache
  const Identifier first = function.names.make("first"), last = function.names.make("last");
  auto tiles = function.body.block("for (int64_t ", first, " = ", begin(nest.lane), "; ", first, " < ", end(nest.lane),
                                   "; ", first, " += ", together, ")");
  function.body.line("const int64_t ", last, " = ", first, " + ", together, " < ", end(nest.lane), " ? ", first, " + ",
                     together, " : ", end(nest.lane), ";");
  if (nest.initial)
    printFirstSums(first, last);
  return printLoops(reductions, [&] {
    return printParts(first, last, [](NestPrinter &part, const PrintedCode &begin, const PrintedCode &end) {
      return part.printRow(begin, end);
    });
  });
}

void NestPrinter::printFirstSums(const Identifier &first, const Identifier &last) {
  const NestOperand &output = outputOf(nest);
  const Identifier &i = variables[nest.lane];
  auto row = function.body.blockEnding("});", "mapRange<", laneText(), ">(", first, ", ", last,
                                       ", [&](auto tag, int64_t ", i, ")");
  function.body.line("using V [[maybe_unused]] = typename decltype(tag)::Type;");
  const Identifier &pointer = pointers[size_t(&output - nest.operands.data())];
  body.printStore(output.argument.getType(), pointer, address(output), start(output, pointer, true), true);
}

LogicalResult NestPrinter::printRow(const PrintedCode &first, const PrintedCode &last) {
  const Identifier &i = variables[nest.lane];
  auto row = function.body.blockEnding("});", isInParts() ? PrintedCode("mapPart<") : PrintedCode("mapRange<"),
                                       laneText(), ">(", first, ", ", last, ", [&](auto tag, int64_t ", i, ")");
  function.body.line("using V [[maybe_unused]] = typename decltype(tag)::Type;");
  const NestOperand &output = outputOf(nest);
  const Identifier &pointer = pointers[size_t(&output - nest.operands.data())];
  Identifier sum = function.names.make("sum");
  function.body.line("const auto ", sum, " = ",
                     body.loadText(output.argument.getType(), pointer, address(output), true), ";");
  body.bind(output.argument, sum);
  if (failed(printStage(uint64_t(1) << nest.lane)))
    return failure();
  body.printStore(output.argument.getType(), pointer, address(output),
                  body.use(nest.body->getTerminator()->getOperand(0), true), true);
  return success();
}

} // namespace sinter
