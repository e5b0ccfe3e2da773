// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections on CPUs: the order of elements is a lambda, by which lanes find the best of theirs and then meet.
#include "dialect.h"
#include "nest_printer.h"
#include "selection_fold.h"

using namespace mlir;

namespace sinter {

LogicalResult NestPrinter::printLaneSelection() {
  function.need("templates/loops/select_lanes.h");
  SelectionFold fold = selectionFoldOf(nest);
  Identifier element = function.names.make("element"), kept = function.names.make("kept"),
             isBetter = function.names.make("isBetter"), best = function.names.make("best"),
             place = function.names.make("place");
  {
    auto block = function.body.blockEnding("};", "const auto ", isBetter, " = [](auto ", element, ", auto ", kept, ")");
    BodyPrinter order(function, options.indexCheck);
    order.bind(fold.element, element);
    order.bind(fold.best, kept);
    for (Operation &op : nest.body->without_terminator())
      if (!llvm::is_contained(fold.comparing, &op))
        order.skip(&op);
    if (failed(order.printReady(*nest.body, ~uint64_t(0))))
      return failure();
    function.body.line("return ", order.use(fold.isBetter, false), ";");
  }
  SmallVector<std::pair<const NestOperand *, Identifier>> outputs;
  for (auto [operand, pointer] : llvm::zip(nest.operands, pointers))
    if (operand.isOutput) {
      function.body.line("auto ", outputs.empty() ? best : place, " = ", start(operand, pointer, false), ";");
      outputs.push_back({&operand, pointer});
    }
  body.bind(fold.best, best); // read by nothing but the order
  body.bind(fold.place, place);
  for (Operation *op : llvm::concat<Operation *>(fold.comparing, fold.placing))
    body.skip(op);
  {
    const Identifier &i = variables[nest.lane];
    auto block =
        function.body.blockEnding(PrintedCode("}, ", isBetter, ", ", best, ", ", place, ");"), "selectLanes<",
                                  laneText(), ">(", sizes[nest.lane].print(), ", [&](auto tag, int64_t ", i, ")");
    function.body.line("using V [[maybe_unused]] = typename decltype(tag)::Type;");
    if (failed(printStage(uint64_t(1) << nest.lane)))
      return failure();
    function.body.line("return ", body.use(fold.element, true), ";");
  }
  for (const auto &[output, pointer] : outputs)
    body.printStore(output->argument.getType(), pointer, address(*output), output->argument == fold.best ? best : place,
                    false);
  return success();
}

} // namespace sinter
