// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values, loads and stores of bodies. Indices: body_index.cpp.
#include "body_printer.h"

#include "byte_look_up.h"
#include "codegen/text/element_text.h"
#include "dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "scalar_expr.h"

using namespace mlir;

namespace sinter {

bool BodyPrinter::varies(Value value) const {
  auto it = dims.find(resolved(value));
  return lane >= 0 && it != dims.end() && (it->second >> lane & 1);
}

static PrintedCode laneElement(Type type) { return type.isInteger(1) ? PrintedCode("int8_t") : valueText(type); }

PrintedCode BodyPrinter::scalarType(Type type) const {
  return movesHalfs && isHeldAsFloat(type) ? memoryText(type) : valueText(type);
}

PrintedCode BodyPrinter::asScalar(Type type, const PrintedCode &text) const {
  return movesHalfs && isHeldAsFloat(type) ? PrintedCode("convert<", memoryText(type), ">(", text, ")") : text;
}

PrintedCode BodyPrinter::typeText(Type type, bool inLanes) const {
  if (!inLanes)
    return scalarType(type);
  if (laneElement(type) == laneElement(widest))
    return "V";
  return PrintedCode("Like<V, ", laneElement(type), ">");
}

void BodyPrinter::define(Value value, const PrintedCode &text) {
  Identifier name = function.names.make("v");
  function.body.line("const auto ", name, " = ", text, ";");
  texts[value] = name;
}

PrintedCode BodyPrinter::lanesOf(const SizeExpr &index, Type type, bool isVarying) {
  PrintedCode first = index.print(), lanes = typeText(type, true);
  if (!type.isIndex() && !type.isInteger(64))
    first = PrintedCode(valueText(type), "(", first, ")");
  if (!isVarying)
    return PrintedCode("splat<", lanes, ">(", first, ")");
  // The expression gives lane 0; each lane adds its step.
  SizeExpr step = *index.coefficient(laneVariable);
  PrintedCode steps("iota<", lanes, ">(0)");
  if (!step.isConstant(1))
    steps = PrintedCode("mul(", steps, ", splat<", lanes, ">(", valueText(type), "(", step.print(), ")))");
  return PrintedCode("add(splat<", lanes, ">(", first, "), ", steps, ")");
}

PrintedCode BodyPrinter::use(Value value, bool inLanes) {
  value = resolved(value);
  Type type = value.getType();
  if (auto index = indices.find(value); index != indices.end() && !texts.count(value)) {
    if (!inLanes)
      return PrintedCode("int64_t(", index->second.print(), ")");
    return lanesOf(index->second, type, varies(value));
  }
  PrintedCode text;
  Attribute constant;
  if (auto it = texts.find(value); it != texts.end())
    text = it->second;
  else if (matchPattern(value, m_Constant(&constant)))
    text = asScalar(type, constantText(constant, type));
  else
    text = texts[value] = asScalar(type, function.scalar(value)); // defined outside of the body
  if (!inLanes || varies(value))
    return text;
  if (type.isInteger(1)) {
    function.need("runtime-lite/bits.h");
    return PrintedCode("splatMask<V>(", text, ")");
  }
  return PrintedCode("splat<", typeText(type, true), ">(", text, ")");
}

PrintedCode BodyPrinter::loadText(Type type, const Identifier &pointer, const PrintedCode &address, bool inLanes) {
  PrintedCode from = address.text() == "0" ? PrintedCode(pointer) : PrintedCode(pointer, " + ", address);
  if (inLanes)
    return type.isInteger(1) ? PrintedCode("loadMask<V>(", from, ")")
                             : PrintedCode("load<", typeText(type, true), ">(", from, ")");
  if (type.isInteger(1))
    return PrintedCode(pointer, "[", address, "] != 0");
  if (isHeldAsFloat(type) && !movesHalfs)
    return PrintedCode("load<float>(", from, ")");
  return PrintedCode(pointer, "[", address, "]");
}

void BodyPrinter::printLoad(Value value, const Identifier &pointer, const PrintedCode &address, bool inLanes) {
  define(value, loadText(value.getType(), pointer, address, inLanes));
}

void BodyPrinter::printStridedLoad(Value value, const Identifier &pointer, const PrintedCode &address,
                                   const PrintedCode &step) {
  PrintedCode elements(pointer, " + ", address, ", ", step);
  function.need("templates/loops/gather.h");
  PrintedCode lanes("loadApart<", typeText(value.getType(), true), ">(", elements, ")");
  define(value, value.getType().isInteger(1) ? PrintedCode(lanes, " != 0") : lanes);
}

void BodyPrinter::printGather(Value value, const Identifier &pointer, const SizeExpr &address,
                              ArrayRef<PrintedCode> offsets) {
  function.need("templates/loops/gather.h");
  PrintedCode type = typeText(IndexType::get(value.getContext()), true), at = offsets.front();
  for (const PrintedCode &offset : offsets.drop_front())
    at = PrintedCode("add(", at, ", ", offset, ")");
  if (SizeExpr step = *address.coefficient(laneVariable); !step.isConstant(0))
    at = PrintedCode("add(", at, ", mul(iota<", type, ">(0), splat<", type, ">(", step.print(), ")))");
  define(value,
         PrintedCode("gather<", typeText(value.getType(), true), ">(", pointer, " + ", address.print(), ", ", at, ")"));
}

void BodyPrinter::printStore(Type type, const Identifier &pointer, const PrintedCode &address, const PrintedCode &value,
                             bool inLanes) {
  PrintedCode to = address.text() == "0" ? PrintedCode(pointer) : PrintedCode(pointer, " + ", address);
  if (type.isInteger(1))
    function.body.line("storeMask(", to, ", ", value, ");");
  else if (inLanes || (isHeldAsFloat(type) && !movesHalfs))
    function.body.line("store(", to, ", ", value, ");");
  else
    function.body.line(pointer, "[", address, "] = ", value, ";");
}

void BodyPrinter::printStridedStore(const Identifier &pointer, const PrintedCode &address, const PrintedCode &step,
                                    const PrintedCode &value) {
  PrintedCode to = address.text() == "0" ? PrintedCode(pointer) : PrintedCode(pointer, " + ", address);
  function.body.line("storeStrided(", to, ", ", step, ", ", value, ");");
}

LogicalResult BodyPrinter::printReady(Block &body, uint64_t scope) {
  for (Operation &op : body.without_terminator()) {
    if (printed.contains(&op) || (variant && !variant->needed.contains(&op)))
      continue;
    bool ready = llvm::all_of(op.getResults(), [&](Value result) { return (dims.lookup(result) & ~scope) == 0; });
    if (!ready)
      continue;
    printed.insert(&op);
    if (failed(printOp(op)))
      return failure();
  }
  return success();
}

LogicalResult BodyPrinter::printOperandsOf(Block &body, ArrayRef<Value> values) {
  llvm::DenseSet<Operation *> missing;
  SmallVector<Value> pending(values);
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == &body && !isBound(value) && missing.insert(op).second)
      llvm::append_range(pending, op->getOperands());
  }
  for (Operation &op : body.without_terminator()) {
    if (!missing.contains(&op))
      continue;
    printed.insert(&op);
    if (failed(printOp(op)))
      return failure();
  }
  return success();
}

LogicalResult BodyPrinter::printOp(Operation &op) {
  if (op.hasTrait<OpTrait::ConstantLike>() || op.use_empty() || isPlaceOfByte(op) || printIndexOp(op))
    return success();
  if (isa<scf::IfOp>(op))
    return printBranch(op);
  Value result = op.getResult(0);
  bool inLanes = varies(result);
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    const View &view = function.values().view(load.getMemRef());
    auto [it, isNew] = pointers.try_emplace(load.getMemRef());
    if (isNew)
      it->second = function.pointer(view, "data", false);
    if (Value byte = lookedUpByte(load)) {
      function.need("templates/maps/look_up_bytes.h");
      define(result, PrintedCode("lookUpBytes(", it->second, ", ", use(byte, inLanes), ")"));
      return success();
    }
    SizeExpr address;
    SmallVector<PrintedCode> offsets; // that differ from lane to lane
    for (auto [position, stride] : llvm::zip(load.getIndices(), view.strides)) {
      Value i = resolved(position);
      SizeExpr factor = function.local(stride);
      if (!inLanes || !varies(i) || indices.count(i) || !texts.count(i))
        address = address + index(i) * factor;
      else if (factor.isConstant(1))
        offsets.push_back(use(i, true));
      else
        offsets.push_back(
            PrintedCode("mul(", use(i, true), ", splat<", typeText(i.getType(), true), ">(", factor.print(), "))"));
    }
    SizeExpr step = inLanes ? *address.coefficient(laneVariable) : SizeExpr(0);
    if (inLanes && !offsets.empty())
      printGather(result, it->second, address, offsets);
    else if (inLanes && !step.isConstant(1))
      printStridedLoad(result, it->second, address.print(), step.print());
    else
      printLoad(result, it->second, address.print(), inLanes);
    return success();
  }
  // What is cast of an index is the same in fewer bits.
  if (isa<arith::IndexCastOp>(op) && inLanes && !result.getType().isInteger(1))
    if (auto index = indices.find(resolved(op.getOperand(0)));
        index != indices.end() && index->second.coefficient(laneVariable)) {
      define(result, lanesOf(index->second, result.getType(), true));
      return success();
    }
  SmallVector<PrintedCode> operands;
  for (Value operand : op.getOperands())
    operands.push_back(use(operand, inLanes));
  std::optional<ScalarText> text = scalarText(&op, operands, typeText(result.getType(), inLanes));
  if (!text)
    return op.emitOpError("has no form in C++ inside a kernel");
  for (StringRef header : text->headers)
    function.need(header);
  define(result, text->text);
  return success();
}

LogicalResult BodyPrinter::printBranch(Operation &op) {
  auto branch = cast<scf::IfOp>(op);
  SmallVector<Identifier> results;
  for (Value result : branch.getResults()) {
    results.push_back(function.names.make("v"));
    function.body.line(scalarType(result.getType()), " ", results.back(), "{};");
  }
  auto printSide = [&](Block &side) -> LogicalResult {
    for (Operation &inner : side.without_terminator())
      if (failed(printOp(inner)))
        return failure();
    for (auto [name, value] : llvm::zip(results, side.getTerminator()->getOperands()))
      function.body.line(name, " = ", use(value, false), ";");
    return success();
  };
  {
    auto block = function.body.block("if (", use(branch.getCondition(), false), ")");
    if (failed(printSide(*branch.thenBlock())))
      return failure();
  }
  if (branch.elseBlock()) {
    auto block = function.body.block("else");
    if (failed(printSide(*branch.elseBlock())))
      return failure();
  }
  for (auto [name, value] : llvm::zip(results, branch.getResults()))
    texts[value] = name;
  return success();
}

} // namespace sinter
