// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// if, for and while at the top level. A value that control flow carries is a variable; a carried buffer is a pointer,
// and one variable for each of its sizes and strides that is not known.
#include "run_printer.h"

#include "codegen/text/element_text.h"
#include "dialect.h"
#include "ir/bands.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sinter {

PrintedCode RunPrinter::valueOf(Value value) const {
  return value.getType().isIndex() ? values.size(value).print() : text(value);
}

/// Which sizes and strides of a carried buffer its type leaves open.
static std::pair<SmallVector<bool>, SmallVector<bool>> openParts(MemRefType type) {
  SmallVector<bool> sizes, strides(type.getRank(), false);
  for (int64_t size : type.getShape())
    sizes.push_back(ShapedType::isDynamic(size));
  SmallVector<int64_t> known;
  int64_t offset;
  if (!type.getLayout().isIdentity() && succeeded(getStridesAndOffset(type, known, offset)))
    for (auto [i, stride] : llvm::enumerate(known))
      strides[i] = ShapedType::isDynamic(stride);
  return {sizes, strides};
}

/// What is assigned when the value moves: a scalar, or an address and its open sizes and strides.
std::vector<PrintedCode> RunPrinter::parts(Value value) const {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type)
    return {valueOf(value)};
  const View &view = values.view(value);
  auto [openSizes, openStrides] = openParts(type);
  std::vector<PrintedCode> all = {view.address()};
  for (auto [size, isOpen] : llvm::zip(view.sizes, openSizes))
    if (isOpen)
      all.push_back(size.print());
  for (auto [stride, isOpen] : llvm::zip(view.strides, openStrides))
    if (isOpen)
      all.push_back(stride.print());
  return all;
}

void RunPrinter::declare(Value value, Value initial) {
  std::vector<PrintedCode> initials = initial ? parts(initial) : std::vector<PrintedCode>();
  std::vector<Identifier> variables;
  auto variable = [&](const PrintedCode &type, StringRef wish) {
    Identifier name = names.make(wish);
    body.line(type, name, initial ? PrintedCode(" = ", initials[variables.size()]) : PrintedCode("{}"), ";");
    variables.push_back(name);
    return name;
  };
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type) {
    Identifier name = variable(PrintedCode(valueText(value.getType()), " "), value.getType().isIndex() ? "n" : "v");
    if (value.getType().isIndex()) {
      values.setSize(value, name);
      unbounded.insert(name);
    } else {
      values.setScalar(value, name);
    }
  } else {
    View view;
    view.element = type.getElementType();
    // One of several buffers, some of them perhaps read only; what is read only stays so, because kernels only write
    // what they own.
    Identifier pointer = variable(PrintedCode("const ", memoryText(view.element), " *"), "buffer");
    view.pointer = PrintedCode("const_cast<", memoryText(view.element), " *>(", pointer, ")");
    auto [openSizes, openStrides] = openParts(type);
    for (auto [size, isOpen] : llvm::zip(type.getShape(), openSizes))
      view.sizes.push_back(isOpen ? SizeExpr(variable("int64_t ", "size")) : SizeExpr(size));
    view.strides = contiguousStrides(view.sizes);
    SmallVector<int64_t> known;
    int64_t offset;
    if (!type.getLayout().isIdentity() && succeeded(getStridesAndOffset(type, known, offset)))
      for (auto [i, isOpen] : llvm::enumerate(openStrides))
        view.strides[i] = isOpen ? SizeExpr(variable("int64_t ", "stride")) : SizeExpr(known[i]);
    values.setView(value, std::move(view));
  }
  carried[value] = std::move(variables);
}

void RunPrinter::assign(ValueRange targets, ValueRange sources) {
  // All sources are read before any target changes: loops may swap what they carry.
  std::vector<std::pair<Identifier, PrintedCode>> moves;
  for (auto [target, source] : llvm::zip(targets, sources))
    for (auto [name, part] : llvm::zip(carried[target], parts(source)))
      if (part.text() != name.text())
        moves.emplace_back(name, part);
  if (moves.size() > 1)
    for (auto &move : moves) {
      Identifier copy = names.make("next");
      body.line("const auto ", copy, " = ", move.second, ";");
      move.second = copy;
    }
  for (auto &move : moves)
    body.line(move.first, " = ", move.second, ";");
}

LogicalResult RunPrinter::printIf(scf::IfOp op) {
  for (Value result : op.getResults())
    declare(result, Value());
  {
    auto block = body.block("if (", text(op.getCondition()), ")");
    if (failed(printBlock(*op.thenBlock())))
      return failure();
    assign(op.getResults(), op.thenYield().getOperands());
  }
  if (!op.elseBlock() || (op.elseBlock()->without_terminator().empty() && op.getNumResults() == 0))
    return success();
  auto block = body.block("else");
  if (failed(printBlock(*op.elseBlock())))
    return failure();
  assign(op.getResults(), op.elseYield().getOperands());
  return success();
}

/// Each band by one thread of the caller's pool. A trace is called by one thread, so there bands follow each other.
LogicalResult RunPrinter::printBands(scf::ForOp op) {
  Identifier band = names.make("band"), first = names.make("first"), last = names.make("last");
  values.setSize(op.getInductionVar(), band);
  kernels.runHeaders.insert("runtime-lite/parallel.h");
  PrintedCode count = values.size(op.getUpperBound()).print();
  bool reportedStatus = std::exchange(usesStatus, false);
  {
    auto share = body.blockEnding("});", "inShares(trace ? nullptr : env.parallel, ", options.threads, ", ", count,
                                  ", 1, [&](int64_t ", first, ", int64_t ", last, ")");
    auto block = body.block("for (int64_t ", band, " = ", first, "; ", band, " < ", last, "; ++", band, ")");
    statusOfFailure = PrintedCode();
    LogicalResult printed = printBlock(*op.getBody());
    statusOfFailure = PrintedCode(" status");
    if (failed(printed))
      return failure();
  }
  if (usesStatus) {
    body.line("if (status)");
    body.line("  return status;");
  }
  usesStatus |= reportedStatus;
  return success();
}

LogicalResult RunPrinter::printFor(scf::ForOp op) {
  if (isOverBands(op))
    return printBands(op);
  for (auto [result, argument, initial] : llvm::zip(op.getResults(), op.getRegionIterArgs(), op.getInitArgs())) {
    declare(argument, initial);
    adopt(result, argument);
  }
  if (auto tiles = op->getAttrOfType<StringAttr>("sinter.row_tiles"))
    body.line("// ", Comment(tiles.getValue()));
  Identifier i = names.make("i");
  values.setSize(op.getInductionVar(), i);
  auto block =
      body.block("for (int64_t ", i, " = ", values.size(op.getLowerBound()).print(), "; ", i, " < ",
                 values.size(op.getUpperBound()).print(), "; ", i, " += ", values.size(op.getStep()).print(), ")");
  if (failed(printBlock(*op.getBody())))
    return failure();
  assign(op.getRegionIterArgs(), op.getBody()->getTerminator()->getOperands());
  return success();
}

LogicalResult RunPrinter::printWhile(scf::WhileOp op) {
  for (auto [argument, initial] : llvm::zip(op.getBeforeArguments(), op.getInits()))
    declare(argument, initial);
  for (auto [result, argument] : llvm::zip(op.getResults(), op.getAfterArguments())) {
    declare(result, Value());
    adopt(argument, result);
  }
  auto block = body.block("for (;;)");
  if (failed(printBlock(*op.getBeforeBody())))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  assign(op.getResults(), condition.getArgs());
  body.line("if (!(", text(condition.getCondition()), "))");
  body.line("  break;");
  if (failed(printBlock(*op.getAfterBody())))
    return failure();
  assign(op.getBeforeArguments(), op.getYieldOp().getOperands());
  return success();
}

void RunPrinter::adopt(Value value, Value other) {
  carried[value] = std::vector(carried[other]); // a copy: the map may move what it holds
  if (isa<MemRefType>(value.getType()))
    values.setView(value, View(values.view(other)));
  else if (value.getType().isIndex())
    values.setSize(value, SizeExpr(values.size(other)));
  else
    values.setScalar(value, values.scalar(other));
}

} // namespace sinter
