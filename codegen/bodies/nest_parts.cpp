// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows in the parts that comparisons with an index divide them into (lane_split.h). Where they are divided is computed
// for each row; within a part, what is compared is computed once, as of its first element.
#include "lane_split.h"
#include "nest_printer.h"

using namespace mlir;

namespace sinter {

LogicalResult NestPrinter::printParts(
    const PrintedCode &first, const PrintedCode &last,
    llvm::function_ref<LogicalResult(NestPrinter &, const PrintedCode &, const PrintedCode &)> print) {
  if (!isInParts())
    return print(*this, first, last);
  function.need("templates/loops/parts.h");
  // Scalars at one place of the row, whatever dims they depend on.
  auto bodyAt = [&](const SizeExpr &place) {
    BodyPrinter at(body);
    at.lane = -1;
    for (auto [original, dim] : llvm::enumerate(nest.dimOf))
      if (dim == nest.lane)
        at.loopVariables[original] = place;
    return at;
  };
  BodyPrinter start = bodyAt(SizeExpr(0));
  Dims dims = dependences(nest);
  SmallVector<PrintedCode> ends{first, last};
  for (arith::CmpIOp compare : nest.split.comparisons)
    for (const LaneTurn &turn : turnsOf(compare, nest, nest.lane, dims)) {
      if (failed(start.printOperandsOf(*nest.body, {turn.from, turn.to})))
        return failure();
      ends.push_back(PrintedCode(turn.isBehind ? PrintedCode("placeBehind(") : PrintedCode("placeOf("),
                                 start.use(turn.from, false), ", ", start.use(turn.to, false), ")"));
    }
  Identifier part = function.names.make("part");
  auto loop = function.body.block("for (const Part &", part, " : partsOf(", joinCode(ends), "))");
  Identifier from = function.names.make("from"), to = function.names.make("to");
  function.body.line("const int64_t ", from, " = ", part, ".first, ", to, " = ", part, ".last;");
  NestPrinter here(*this);
  BodyPrinter scalars = bodyAt(SizeExpr(from));
  for (arith::CmpIOp compare : nest.split.comparisons) {
    if (failed(scalars.printOperandsOf(*nest.body, {compare.getResult()})))
      return failure();
    here.body.bind(compare.getResult(), scalars.use(compare.getResult(), false));
    here.body.skip(compare);
  }
  auto printVariant = [&](std::optional<bool> chosen) {
    NestPrinter variant(here);
    variant.body.variant = variantOf(nest, nest.split, nest.lane, chosen);
    variant.body.dims = variant.body.variant->dims;
    if (chosen)
      variant.body.bind(nest.split.choosing, *chosen ? PrintedCode("true") : PrintedCode("false"));
    return failed(variant.printStage(kDependsOnPart)) ? failure() : print(variant, from, to);
  };
  if (!nest.split.choosing)
    return printVariant(std::nullopt);
  if (failed(here.body.printOperandsOf(*nest.body, {nest.split.choosing})))
    return failure();
  PrintedCode condition = here.body.use(nest.split.choosing, false);
  if (keepsSums(true)) {
    auto block = function.body.block("if (!", condition, ")");
    return printVariant(false);
  }
  {
    auto block = function.body.block("if (", condition, ")");
    if (failed(printVariant(true)))
      return failure();
  }
  if (keepsSums(false))
    return success();
  auto block = function.body.block("else");
  return printVariant(false);
}

bool NestPrinter::keepsSums(bool chosen) const {
  BodyVariant variant = variantOf(nest, nest.split, nest.lane, chosen);
  return nest.hasReductions() && llvm::all_of(nest.operands, [&, result = 0u](const NestOperand &operand) mutable {
           return !operand.isOutput ||
                  variant.resolved(nest.body->getTerminator()->getOperand(result++)) == operand.argument;
         });
}

} // namespace sinter
