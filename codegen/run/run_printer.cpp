// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk over main, its buffers and its calls.
#include "run_printer.h"

#include "place_names.h"

#include "codegen/text/element_text.h"
#include "codegen/weights/weights_text.h"
#include "dialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "state_rows.h"

using namespace mlir;

namespace sinter {

RunPrinter::RunPrinter(const Interface &interface, KernelList &kernels, const CodegenOptions &options)
    : interface(interface), kernels(kernels), options(options) {
  for (StringRef taken :
       {"in",   "out",   "arena", "pinned", "weights", "weights_in_ram", "env",  "trace",   "status", "run", "traced",
        "at",   "add",   "sub",   "mul",    "div",     "select",         "min",  "max",     "exp",    "log", "abs",
        "load", "store", "floor", "ceil",   "round",   "convert",        "call", "blocksOf"})
    names.fixed(taken);
  for (const InterfaceRegion &region : interface.regions)
    names.make(region.variable.text());
}

LogicalResult RunPrinter::print(Block &main) { return printBlock(main); }

LogicalResult RunPrinter::printBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(printOp(op)))
      return failure();
  return success();
}

LogicalResult RunPrinter::printOp(Operation &op) {
  if (op.hasTrait<OpTrait::ConstantLike>() || isa<memref::DeallocOp>(op) || printBuffer(op) ||
      resolveView(&op, values) || printSize(op))
    return success();
  if (auto launch = dyn_cast<LaunchOp>(op))
    resolveInside(launch);
  if (KernelList::isPayload(&op)) {
    FailureOr<PrintedCode> call = kernels.add(&op, values);
    if (failed(call))
      return failure();
    printPayload(*call);
    return success();
  }
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return printIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return printFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return printWhile(loop);
  return printScalar(op);
}

void RunPrinter::resolveInside(LaunchOp launch) {
  for (Operation &op : launch.getBody().front()) {
    auto held = dyn_cast<memref::AllocaOp>(op);
    if (!held) {
      resolveView(&op, values);
      continue;
    }
    View view;
    view.element = held.getType().getElementType();
    view.sizes = mixedSizes(held.getType().getShape(), held.getDynamicSizes(), values);
    view.strides = contiguousStrides(view.sizes);
    view.isHeld = true;
    values.setView(held, std::move(view));
  }
}

void RunPrinter::printPayload(const PrintedCode &call) {
  const PrintedCall &info = kernels.calls.back();
  const PrintedFunction &function = kernels.functions[info.function];
  StringRef node = StringRef(info.nodes).split('\n').first;
  PrintedCode comment = node.empty() ? PrintedCode(";") : PrintedCode("; // ", Comment(node));
  PrintedCode trace(kernels.numberOfCall(kernels.calls.size() - 1), ", ", joinCode(info.outputs), ");");
  if (function.launch) {
    body.line(call, comment);
    body.line("call.traced(", trace);
    return;
  }
  if (isOnDevice()) {
    reads.push_back({kernels.calls.size() - 1, info.nodes, "a function of the host"});
    printWait();
  }
  if (function.returnsStatus) {
    usesStatus = true;
    body.line("status = ", call, comment);
  } else {
    body.line(call, comment);
  }
  if (function.reportsStatus)
    usesStatus = true;
  if (function.returnsStatus || function.reportsStatus) {
    body.line("if (status)");
    body.line("  return", isOnDevice() ? PrintedCode(" call.fail(status)") : statusOfFailure, ";");
  }
  constexpr size_t tracedInPlace = 200; // calls; more would take compilers long
  body.line(isOnDevice()                            ? PrintedCode("call.traced(")
            : kernels.calls.size() <= tracedInPlace ? PrintedCode("traced(trace, ")
                                                    : PrintedCode("tracedApart(trace, "),
            trace);
}

void RunPrinter::printWait() {
  body.line("if (call.reach())");
  body.line("  return call.status();");
}

bool RunPrinter::printBuffer(Operation &op) {
  if (auto input = dyn_cast<InputOp>(op))
    return printInput(input), true;
  if (auto output = dyn_cast<OutputOp>(op))
    return printOutput(output), true;
  if (auto rows = dyn_cast<StateRowsOp>(op))
    return printStateRows(rows.getRows(), rows.getIndex()), true;
  View view;
  if (auto arena = dyn_cast<ArenaOp>(op)) {
    view.kind = View::Base::Arena;
    view.bytes = static_cast<int64_t>(arena.getOffset());
    view.pointer = "arena";
    SpaceAttr space = spaceOf(arena.getType());
    if (space.getKind() == MemoryKind::Shared)
      view.pointer = "pinned";
    else if (const InterfaceRegion *region = interface.regionOf(space))
      view.pointer = region->variable;
    auto type = cast<MemRefType>(arena.getType());
    view.element = type.getElementType();
    view.sizes = mixedSizes(type.getShape(), arena.getSizes(), values);
    usesArena |= space.getKind() != MemoryKind::Shared;
    if (std::optional<unsigned> output = outputOf(arena))
      printDims(interface.outputs[*output], view.sizes);
  } else if (auto constant = dyn_cast<ConstantOp>(op)) {
    if (auto texts = constant->getAttrOfType<ArrayAttr>("sinter.strings")) {
      view.pointer = stringTable(texts);
    } else {
      view.kind = View::Base::Weights;
      view.bytes = static_cast<int64_t>(constant.getOffset().value_or(0));
      bool isInRam = view.bytes < interface.weightsInRam;
      view.pointer = isInRam ? PrintedCode("weights_in_ram") : PrintedCode("weights");
      view.bytes -= isInRam ? 0 : beginBehind(interface.weightsInRam, options);
      usesWeights |= !isInRam;
    }
    auto type = cast<MemRefType>(constant.getType());
    view.element = type.getElementType();
    view.sizes = mixedSizes(type.getShape(), {}, values);
    view.readOnly = true;
  } else {
    return false;
  }
  view.strides = contiguousStrides(view.sizes);
  if (view.kind != View::Base::Pointer && !isOnDevice())
    namePlace(op, view);
  values.setView(op.getResult(0), std::move(view));
  return true;
}

void RunPrinter::namePlace(Operation &op, View &view) {
  std::optional<std::string> wish = placeName(&op);
  if (!wish)
    return;
  Identifier name = names.make(*wish);
  defined.insert(name);
  body.line(view.kind == View::Base::Weights ? PrintedCode("const ") : PrintedCode(), memoryText(view.element),
            " *const ", name, " = ", view.address(), ";");
  view.kind = View::Base::Pointer;
  view.pointer = name;
}

Identifier RunPrinter::stringTable(ArrayAttr texts) {
  auto [known, isNew] = stringTables.try_emplace(texts);
  if (!isNew)
    return known->second;
  known->second = names.make("strings");
  auto table = constants.blockEnding("};", "static const sinter_string ", known->second, "[] =");
  for (Attribute text : texts) {
    StringRef bytes = cast<StringAttr>(text).getValue();
    constants.line("{", StringLiteral(bytes), ", ", bytes.size(), "},");
  }
  if (texts.empty()) // C++ has no empty arrays
    constants.line("{nullptr, 0},");
  return known->second;
}

/// The caller's pointer; typed as kernels read it where C has another type for it.
static PrintedCode callersPointer(const PrintedCode &member, ElementType type, Type element, bool isConst) {
  PrintedCode wanted = memoryText(element);
  if (wanted == abiText(type))
    return member;
  return PrintedCode("at<", isConst ? PrintedCode("const ") : PrintedCode(), wanted, ">(", member, ", 0)");
}

/// On a GPU: where kernels find a tensor of the caller's, which may be on the host.
PrintedCode RunPrinter::placeOfTensor(const InterfaceTensor &tensor, const View &view, bool isInput) {
  SizeExpr elements(1);
  for (const SizeExpr &size : view.sizes)
    elements = elements * size;
  SizeExpr bytes = elements * SizeExpr(memoryBytes(view.element));
  Identifier name = names.make(tensor.variable());
  PrintedCode given(isInput ? PrintedCode("in.") : PrintedCode("out."), tensor.place());
  body.line("auto *const ", name, " = call.",
            !isInput           ? PrintedCode("output")
            : tensor.isState() ? PrintedCode("state")
                               : PrintedCode("input"),
            "(", given, ", ", interface.placeOnDevice(tensor), ", size_t(", bytes.print(), "));");
  return PrintedCode(name);
}

void RunPrinter::printInput(InputOp op) {
  const InterfaceTensor &tensor = interface.inputs[op.getIndex()];
  auto type = cast<MemRefType>(op.getType());
  View view;
  view.element = type.getElementType();
  view.sizes = mixedSizes(type.getShape(), op.getSizes(), values);
  PrintedCode given = isOnDevice() && !isa<StringType>(view.element) ? placeOfTensor(tensor, view, true)
                                                                     : PrintedCode("in.", tensor.place());
  view.pointer = callersPointer(given, tensor.type, view.element, !op.getState());
  view.strides = contiguousStrides(view.sizes);
  view.readOnly = !op.getState();
  values.setView(op.getResult(), std::move(view));
}

void RunPrinter::printDims(const InterfaceTensor &tensor, ArrayRef<SizeExpr> sizes) {
  if (tensor.dimsMember)
    for (auto [i, size] : llvm::enumerate(sizes))
      if (i < tensor.dims.size())
        body.line("out.", *tensor.dimsMember, "[", i, "] = ", size.print(), ";");
}

/// Of a growing state, what is in use behind the call.
void RunPrinter::printStateRows(Value rows, uint64_t input) {
  const InterfaceTensor &tensor = interface.inputs[input];
  for (auto [d, dim] : llvm::enumerate(tensor.dims)) {
    PrintedCode size = d == *tensor.growingDim ? values.size(rows).print()
                       : dim.size >= 0         ? PrintedCode(dim.size)
                                               : PrintedCode("in.", interface.findDim(dim.symbol)->member);
    body.line("out.", *tensor.dimsMember, "[", d, "] = ", size, ";");
  }
}

void RunPrinter::printOutput(OutputOp op) {
  const InterfaceTensor &tensor = interface.outputs[op.getIndex()];
  auto type = cast<MemRefType>(op.getType());
  View view;
  view.element = type.getElementType();
  view.sizes = mixedSizes(type.getShape(), op.getSizes(), values);
  PrintedCode given = isOnDevice() && !isa<StringType>(view.element) ? placeOfTensor(tensor, view, false)
                                                                     : PrintedCode("out.", tensor.place());
  view.pointer = callersPointer(given, tensor.type, view.element, false);
  view.strides = contiguousStrides(view.sizes);
  printDims(tensor, view.sizes);
  values.setView(op.getResult(), std::move(view));
}

} // namespace sinter
