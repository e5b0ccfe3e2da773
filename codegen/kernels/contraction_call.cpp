// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contraction_call.h"

using namespace mlir;

namespace sinter {

/// What a kernel, or a share of its work, works in, as `type *`.
static PrintedCode scratchOf(const ContractionCall &call, Value scratch, StringRef type, KernelFunction &function) {
  if (!scratch)
    return "nullptr";
  PrintedCode pointer(function.pointer(function.values().view(scratch), "scratch", true));
  if (call.scratchOfShare && function.isShared())
    pointer = PrintedCode(pointer, " + ", function.shareNumber(), " * ", call.scratchOfShare);
  return type.empty() ? pointer : PrintedCode("reinterpret_cast<", PrintedCode::trusted(type), " *>(", pointer, ")");
}

bool takes(const ContractionCall &call, CallArgument::Kind kind) {
  return llvm::any_of(call.arguments, [&](const CallArgument &argument) { return argument.kind == kind; });
}

/// How many tiles of `length` cover `size`.
static PrintedCode tilesOf(const SizeExpr &size, int64_t length) {
  if (std::optional<int64_t> known = size.constant())
    return PrintedCode((*known + length - 1) / length);
  return PrintedCode("blocksOf(", size.print(), ", ", length, ")");
}

/// Blocks of the template's threads and shared memory: what the launch gives is what it counts on.
static void launchBlocks(const ContractionCall &call, KernelFunction &function) {
  function.launch.threads = call.grid->threads;
  function.launch.sharedBytes = call.grid->sharedBytes;
  if (call.grid->isByElements)
    return;
  PrintedCode tile = PrintedCode::trusted(call.templateArguments.front().text);
  function.body.line("static_assert(", tile, "::kThreads == ", call.grid->threads, " && ",
                     call.grid->sharedName.empty() ? PrintedCode(tile, "::kSharedBytes")
                                                   : PrintedCode::trusted(call.grid->sharedName),
                     " == ", call.grid->sharedBytes, ");");
}

void launchRows(const ContractionCall &call, const SizeExpr &rows, const SizeExpr &matrices, KernelFunction &function) {
  function.need("templates/cuda/device.h");
  launchBlocks(call, function);
  PrintedCode tiles = tilesOf(rows, call.rows);
  std::optional<int64_t> known = rows.constant();
  if (known)
    function.launch.x = (SizeExpr((*known + call.rows - 1) / call.rows) * matrices).print();
  else
    function.launch.x = matrices.isConstant(1) ? tiles : PrintedCode(tiles, " * (", matrices.print(), ")");
}

PrintedCode calleeOf(const ContractionCall &call) {
  std::vector<PrintedCode> texts;
  for (const CallArgument &argument : call.templateArguments)
    texts.push_back(argument.kind == CallArgument::Number ? PrintedCode(argument.number)
                                                          : PrintedCode::trusted(argument.text));
  return PrintedCode(PrintedCode::trusted(call.function), "<", joinCode(texts), ">");
}

void launchTiles(const ContractionCall &call, const SizeExpr &elements, const SizeExpr &rows, const SizeExpr &columns,
                 KernelFunction &function) {
  function.need("templates/cuda/device.h");
  if (!call.grid) {
    function.launchOver(elements);
    return;
  }
  launchBlocks(call, function);
  if (call.grid->isByElements) {
    function.launch.x = tilesOf(elements, call.rows);
    return;
  }
  function.launch.x = tilesOf(rows, call.rows);
  function.launch.y = tilesOf(columns, call.columns);
  if (call.grid->slices > 1)
    function.launch.z = call.grid->slices;
}

PrintedCode countersOf(Operation *op, KernelFunction &function) {
  Value counters = cast<DestinationStyleOpInterface>(op).getDpsInits().back();
  return PrintedCode("reinterpret_cast<uint32_t *>(",
                     function.pointer(function.values().view(counters), "counters", true), ")");
}

Printed printContractionCall(const ContractionCall &call, KernelFunction &function, Value scratch,
                             function_ref<PrintedCode(const CallArgument &)> print) {
  for (StringRef header : call.headers)
    function.need(header);
  auto printAll = [&](ArrayRef<CallArgument> arguments) {
    std::vector<PrintedCode> texts;
    for (const CallArgument &argument : arguments)
      texts.push_back(argument.kind == CallArgument::Number    ? PrintedCode(argument.number)
                      : argument.kind == CallArgument::Name    ? PrintedCode::trusted(argument.text)
                      : argument.kind == CallArgument::Scratch ? scratchOf(call, scratch, argument.text, function)
                                                               : print(argument));
    return joinCode(texts);
  };
  PrintedCode callee = PrintedCode::trusted(call.function);
  if (!call.templateArguments.empty())
    callee = PrintedCode(callee, "<", printAll(call.templateArguments), ">");
  PrintedCode arguments = printAll(call.arguments);
  function.body.line(callee, "(", arguments, ");");
  return Printed{call.kind, call.why};
}

} // namespace sinter
