// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// linalg.generic -> the body of a function: a loop nest, or memcpy where nothing is computed.
#include "codegen/bodies/dim_to_share.h"
#include "codegen/bodies/nest_print.h"
#include "codegen/text/element_text.h"
#include "kernel_list.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

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

/// Whether threads share the loops of a copy.
bool isShared(const Nest &nest, const CodegenOptions &options) {
  int64_t elements = 1;
  for (const SizeExpr &size : nest.sizes)
    elements *= size.constant().value_or(64);
  return options.threads > 1 && elements >= options.leastSharedWork / 4;
}

/// Of what is copied at one place of the loops: addresses, and how many elements of the dim that the threads may share
/// there.
struct CopyPart {
  PrintedCode source, target;
  SizeExpr count;
};

/// A copy inside loops over the first `dims` dims. Threads share one of these, or dim `along` behind them.
void printCopies(const Nest &nest, const CodegenOptions &options, KernelFunction &function, size_t dims, size_t along,
                 llvm::function_ref<void(const CopyPart &)> print) {
  constexpr int64_t unit = 64; // elements: threads write no cache line together
  const NestOperand &from = nest.operands[0], &to = nest.operands[1];
  Identifier a = function.pointer(from.view, "a", false), y = function.pointer(to.view, "y", true);
  // Without elements the pointers may be null, which memcpy must not see.
  for (const SizeExpr &size : nest.sizes)
    if (!size.constant())
      function.body.line("if (", function.local(size).print(), " <= 0) return;");
  std::vector<Printer::Block> loops;
  std::optional<unsigned> sharedDim;
  if (isShared(nest, options)) {
    SmallVector<SizeExpr> sizes(ArrayRef(nest.sizes).take_front(dims));
    sizes.push_back(nest.sizes[along]);
    sharedDim = dimToShare(sizes, options.threads, [](unsigned) { return true; });
  }
  SizeExpr source = function.local(from.base), target = function.local(to.base);
  for (size_t dim = 0; dim < dims; ++dim) {
    Identifier i = function.names.make("i" + std::to_string(dim));
    PrintedCode begin("0"), end = function.local(nest.sizes[dim]).print();
    if (dim == sharedDim) {
      auto share = function.share(nest.sizes[dim]);
      begin = share.first;
      end = share.second;
    }
    loops.push_back(function.body.block("for (int64_t ", i, " = ", begin, "; ", i, " < ", end, "; ++", i, ")"));
    source = source + function.local(from.strides[dim]) * SizeExpr(i);
    target = target + function.local(to.strides[dim]) * SizeExpr(i);
  }
  SizeExpr count = function.local(nest.sizes[along]);
  if (sharedDim == dims) {
    auto [first, last] = function.share(nest.sizes[along], unit);
    source = source + function.local(from.strides[along]) * SizeExpr(first);
    target = target + function.local(to.strides[along]) * SizeExpr(first);
    Identifier own = function.names.make("n");
    function.body.line("const int64_t ", own, " = ", last, " - ", first, ";");
    count = own;
  }
  auto address = [](const Identifier &pointer, const SizeExpr &offset) {
    return offset.isConstant(0) ? PrintedCode(pointer) : PrintedCode(pointer, " + ", offset.print());
  };
  print({address(a, source), address(y, target), count});
  while (!loops.empty())
    loops.pop_back();
}

/// Rows that are contiguous on both sides go through memcpy, or through templates/loops/copy_bytes.h where compilers
/// know of many that they are longer than a few vectors; false if there are none.
bool printRowCopy(const Nest &nest, const CodegenOptions &options, KernelFunction &function) {
  const NestOperand &from = nest.operands[0], &to = nest.operands[1];
  size_t rank = nest.sizes.size();
  if (rank == 0 || !from.strides[rank - 1].isConstant(1) || !to.strides[rank - 1].isConstant(1))
    return false;
  printCopies(nest, options, function, rank - 1, rank - 1, [&](const CopyPart &part) {
    bool isText = isa<StringType>(from.view.element); // whose size only the C++ compiler knows
    SizeExpr bytes = part.count * SizeExpr(isText ? 1 : memoryBytes(from.view.element));
    PrintedCode count = bytes.constant() ? bytes.print() : PrintedCode("static_cast<size_t>(", bytes.print(), ")");
    const bool byVectors = rank > 1 && options.vectorize && options.target.vectorRegisters != 0 && !isText &&
                           bytes.constant().value_or(0) >= 256;
    if (byVectors)
      function.need("templates/loops/copy_bytes.h");
    function.body.line(byVectors ? PrintedCode("copyBytes(") : PrintedCode("memcpy("), part.target, ", ", part.source,
                       ", ", count, isText ? PrintedCode(" * sizeof(sinter_string)") : PrintedCode(), ");");
  });
  return true;
}

/// Makes `back`, in that order, the last dims; the others stay in theirs.
void moveBack(Nest &nest, std::initializer_list<size_t> back) {
  SmallVector<size_t> order;
  for (size_t dim = 0; dim < nest.sizes.size(); ++dim)
    if (!llvm::is_contained(back, dim))
      order.push_back(dim);
  order.append(back.begin(), back.end());
  auto reorder = [&](auto &list) {
    auto old = list;
    for (size_t i = 0; i < order.size(); ++i)
      list[i] = old[order[i]];
  };
  reorder(nest.sizes);
  for (NestOperand &operand : nest.operands)
    reorder(operand.strides);
}

/// The dim along which an operand's elements lie behind each other.
std::optional<size_t> adjacentDim(const NestOperand &operand) {
  for (size_t dim = 0; dim < operand.strides.size(); ++dim)
    if (operand.strides[dim].isConstant(1))
      return dim;
  return std::nullopt;
}

/// Few planes that become pixels, and pixels that become planes, go through templates/maps/interleave.h; false for
/// other copies. Elements of several bytes do so by vectors alone.
bool printInterleave(Nest &nest, const CodegenOptions &options, KernelFunction &function) {
  bool hasVectors = options.vectorize && options.target.vectorRegisters != 0;
  const NestOperand &from = nest.operands[0], &to = nest.operands[1];
  size_t rank = nest.sizes.size();
  std::optional<size_t> ofSource = adjacentDim(from), ofTarget = adjacentDim(to);
  if (rank < 2 || isa<StringType>(from.view.element) || (!hasVectors && memoryBytes(from.view.element) > 1) ||
      memoryBytes(from.view.element) > 8 || !ofSource || !ofTarget || ofSource == ofTarget)
    return false;
  auto local = [&](const SizeExpr &size) { return function.local(size).print(); };
  // The pixels' side has the planes in one dim and the places in the other, as many elements apart as there are planes.
  auto planesOf = [&](const NestOperand &pixels, size_t plane, size_t place) {
    int64_t n = nest.sizes[plane].constant().value_or(0);
    return n >= 2 && n <= 4 && pixels.strides[place].isConstant(n) ? n : 0;
  };
  int64_t toPixels = planesOf(to, *ofTarget, *ofSource),
          toPlanes = toPixels == 0 && hasVectors ? planesOf(from, *ofSource, *ofTarget) : 0;
  if (toPixels == 0 && toPlanes == 0)
    return false;
  moveBack(nest, {toPixels != 0 ? *ofTarget : *ofSource, toPixels != 0 ? *ofSource : *ofTarget});
  const size_t plane = rank - 2, place = rank - 1;
  function.need("templates/maps/interleave.h");
  printCopies(nest, options, function, plane, place, [&](const CopyPart &part) {
    PrintedCode count = part.count.print();
    if (toPixels != 0)
      function.body.line("interleave<", toPixels, ">(", part.source, ", ", local(from.strides[plane]), ", ",
                         part.target, ", ", count, ");");
    else
      function.body.line("deinterleave<", toPlanes, ">(", part.source, ", ", part.target, ", ",
                         local(to.strides[plane]), ", ", count, ");");
  });
  return true;
}

/// A matrix within both sides, adjacent along another dim in each, goes through templates/maps/turn.h; false for other
/// copies.
bool printTurn(Nest &nest, const CodegenOptions &options, KernelFunction &function) {
  size_t rank = nest.sizes.size();
  int64_t bytes = memoryBytes(nest.operands[0].view.element);
  if (!options.vectorize || options.target.vectorRegisters == 0)
    return false;
  std::optional<size_t> ofSource = adjacentDim(nest.operands[0]), ofTarget = adjacentDim(nest.operands[1]);
  if (rank < 2 || !ofSource || !ofTarget || ofSource == ofTarget)
    return false;
  // One side fills vectors, of short elements those of 16 bytes; the other has few elements at least.
  auto least = [&](size_t dim) { return nest.sizes[dim].constant().value_or(INT64_MAX); };
  auto [fewer, more] = std::minmax({least(*ofSource), least(*ofTarget)});
  if (fewer < 4 || more < std::max<int64_t>(4, 16 / bytes))
    return false;
  moveBack(nest, {*ofSource, *ofTarget});
  function.need("templates/maps/turn.h");
  printCopies(nest, options, function, rank - 2, rank - 1, [&](const CopyPart &part) {
    auto local = [&](const SizeExpr &size) { return function.local(size).print(); };
    function.body.line("turn(", part.source, ", ", local(nest.operands[0].strides[rank - 1]), ", ", part.target, ", ",
                       local(nest.operands[1].strides[rank - 2]), ", ", local(nest.sizes[rank - 2]), ", ",
                       part.count.print(), ");");
  });
  return true;
}

/// A copy by what moves many elements at a time; nothing where none of these can.
std::optional<Printed> printCopy(Nest &nest, const CodegenOptions &options, KernelFunction &function) {
  if (llvm::any_of(nest.sizes, [](const SizeExpr &size) { return size.isConstant(0); }))
    return std::nullopt;
  if (printRowCopy(nest, options, function))
    return Printed{"copy", "rows are contiguous: memcpy"};
  if (printInterleave(nest, options, function))
    return Printed{"copy", "planes and pixels are interleaved in registers"};
  if (printTurn(nest, options, function))
    return Printed{"copy", "squares are turned in registers"};
  return std::nullopt;
}

} // namespace

FailureOr<Printed> printGeneric(Operation *op, const CodegenOptions &options, KernelFunction &function) {
  auto generic = cast<linalg::GenericOp>(op);
  if (!function.isOnDevice())
    if (std::optional<Nest> repeats = planRepeats(generic, function.values()))
      if (std::optional<Printed> printed = printCopy(*repeats, options, function))
        return *printed;
  Nest nest = planNest(generic, function.values(), options.vectorBytes());
  if (!function.isOnDevice() && isCopy(nest))
    if (std::optional<Printed> printed = printCopy(nest, options, function))
      return *printed;
  if (failed(printNest(nest, function, options)))
    return failure();
  bool isFill = !nest.operands[0].view.element && nest.body->without_terminator().empty();
  return Printed{isCopy(nest)           ? "copy"
                 : isFill               ? "fill"
                 : nest.hasReductions() ? "reduce"
                                        : "map",
                 describeNest(nest, function.isOnDevice()).text().str()};
}

} // namespace sinter
