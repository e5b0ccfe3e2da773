// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// linalg.generic -> the body of a function: a loop nest, or memcpy where nothing is computed.
#include "element_text.h"
#include "kernel_list.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "nest_print.h"

using namespace mlir;

namespace sinter {
namespace {

/// Whether elements go from the only input to the only output as they are.
bool isCopy(const Nest &nest) {
  if (nest.operands.size() != 2 || nest.hasReductions() || !nest.operands[0].view.element ||
      !nest.operands[0].nonlinear.empty())
    return false;
  return nest.body->getTerminator()->getOperand(0) == nest.operands[0].argument &&
         nest.operands[0].view.element == nest.operands[1].view.element && nest.operands[1].nonlinear.empty();
}

/// Rows that are contiguous on both sides go through memcpy; false if there are none.
bool printCopy(const Nest &nest, KernelFunction &function) {
  const NestOperand &from = nest.operands[0], &to = nest.operands[1];
  size_t rank = nest.sizes.size();
  if (rank == 0 || !from.strides[rank - 1].isConstant(1) || !to.strides[rank - 1].isConstant(1))
    return false;
  Identifier a = function.pointer(from.view, "a", false), y = function.pointer(to.view, "y", true);
  // Without elements the pointers may be null, which memcpy must not see.
  for (const SizeExpr &size : nest.sizes)
    if (!size.constant())
      function.body.line("if (", function.local(size).print(), " <= 0) return;");
  std::vector<Printer::Block> loops;
  SizeExpr source = function.local(from.base), target = function.local(to.base);
  for (size_t dim = 0; dim + 1 < rank; ++dim) {
    Identifier i = function.names.make("i" + std::to_string(dim));
    loops.push_back(function.body.block("for (int64_t ", i, " = 0; ", i, " < ", function.local(nest.sizes[dim]).print(),
                                        "; ++", i, ")"));
    source = source + function.local(from.strides[dim]) * SizeExpr(i);
    target = target + function.local(to.strides[dim]) * SizeExpr(i);
  }
  SizeExpr bytes = function.local(nest.sizes[rank - 1]) * SizeExpr(memoryBytes(from.view.element));
  auto address = [](const Identifier &pointer, const SizeExpr &offset) {
    return offset.isConstant(0) ? Code(pointer) : Code(pointer, " + ", offset.print());
  };
  Code count = bytes.constant() ? bytes.print() : Code("static_cast<size_t>(", bytes.print(), ")");
  function.body.line("memcpy(", address(y, target), ", ", address(a, source), ", ", count, ");");
  while (!loops.empty())
    loops.pop_back();
  return true;
}

} // namespace

FailureOr<Printed> printGeneric(Operation *op, const CodegenOptions &options, KernelFunction &function) {
  auto generic = cast<linalg::GenericOp>(op);
  Nest nest = planNest(generic, function.values(), options.vectorize);
  if (isCopy(nest) && llvm::none_of(nest.sizes, [](const SizeExpr &size) { return size.isConstant(0); }) &&
      printCopy(nest, function))
    return Printed{"copy", "rows are contiguous: memcpy"};
  if (failed(printNest(nest, function, options)))
    return failure();
  bool isFill = !nest.operands[0].view.element && nest.body->without_terminator().empty();
  return Printed{isCopy(nest)           ? "copy"
                 : isFill               ? "fill"
                 : nest.hasReductions() ? "reduce"
                                        : "map",
                 describeNest(nest).text().str()};
}

} // namespace sinter
