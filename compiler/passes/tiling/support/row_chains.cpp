// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chain begins with a convolution or pool, or with an elementwise op that one of these reads, and goes on, in program
// order, with what reads rows of its steps: by a window (ir/row_window.h), elementwise, or in an epilogue.
//
// Preconditions of a step: static sizes, none of them 0, one result, one block, all of its operands that are steps'
// results are read by rows, all with the rows in the same dim.
#include "row_chains.h"

#include "interpreter/interpreter.h"
#include "ir/row_window.h"
#include "ir/work.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <map>

using namespace mlir;

namespace sinter {
namespace {

bool isStatic(Value value) {
  auto shaped = dyn_cast<RankedTensorType>(value.getType());
  return !isa<ShapedType>(value.getType()) || (shaped && shaped.hasStaticShape() && shaped.getNumElements() > 0);
}

/// A loop nest whose output element is made of one element of each input.
bool isElementwiseOfRows(linalg::GenericOp generic) {
  return generic.getNumDpsInits() == 1 && generic->getNumResults() == 1 && !generic.getNumReductionLoops() &&
         generic.getMatchingIndexingMap(generic.getDpsInitOperand(0)).isIdentity() && !generic.hasIndexSemantics() &&
         generic.getMatchingBlockArgument(generic.getDpsInitOperand(0)).use_empty() &&
         llvm::all_of(generic->getOperands(), isStatic);
}

/// A loop nest that adds up (or the like) whole rows of an operand: they are one of its reduction loops.
bool reducesRows(linalg::GenericOp generic, OpOperand &operand, int64_t rowsDim) {
  return generic.getNumDpsInits() == 1 && generic->getNumResults() == 1 && generic.isDpsInput(&operand) &&
         generic.getMatchingIndexingMap(&operand).isIdentity() && !generic.hasIndexSemantics() &&
         generic.getIteratorTypesArray()[rowsDim] == utils::IteratorType::reduction &&
         llvm::all_of(generic->getOperands(), isStatic);
}

/// How `op` reads its operand's rows, which are in `rowsDim`; nullopt: not by rows.
std::optional<RowReader> readerOf(OpOperand &operand, int64_t rowsDim) {
  Operation *op = operand.getOwner();
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    bool isByRows = (isElementwiseOfRows(generic) && generic.isDpsInput(&operand) &&
                     generic.getMatchingIndexingMap(&operand).isIdentity()) ||
                    reducesRows(generic, operand, rowsDim);
    return isByRows ? std::optional(RowReader()) : std::nullopt;
  }
  std::optional<RowWindow> window = rowWindowOf(op);
  if (!window)
    return std::nullopt;
  if (operand.getOperandNumber() == 0)
    return window->inDim == rowsDim ? std::optional(RowReader{0, window->stride, window->extent, window->pad})
                                    : std::nullopt;
  auto conv = dyn_cast<ConvOp>(op);
  if (!conv || window->outDim != rowsDim)
    return std::nullopt;
  for (auto [input, map] :
       llvm::zip(conv.getEpilogueInputsMutable(), conv.getEpilogueMaps().getAsValueRange<AffineMapAttr>()))
    if (&input == &operand && map.isIdentity())
      return RowReader();
  return std::nullopt;
}

class Collector {
public:
  Collector(RowChains &result, const MapLifetimes &lifetimes) : result(result), lifetimes(lifetimes) {}

  /// The chain that begins with `op`, if one does.
  void collect(Operation *op) {
    std::optional<int64_t> rowsDim = rowsDimOf(op);
    if (!rowsDim || result.members.contains(lifetimes.positionOf(op)))
      return;
    chain.clear();
    index.clear();
    add(op, *rowsDim);
    // Only a reader of a step can be one.
    std::map<int64_t, Operation *> readers;
    for (Operation *step = op; step;) {
      for (Operation *reader : step->getUsers())
        if (reader->getBlock() == op->getBlock())
          readers[lifetimes.positionOf(reader)] = reader;
      step = nullptr;
      while (!step && !readers.empty()) {
        auto [position, next] = *readers.begin();
        readers.erase(readers.begin());
        if (!result.members.contains(position) && belongs(next))
          add(step = next, chain.front().rowsDim);
      }
    }
    if (chain.size() < 2)
      return;
    for (ChainStep &step : chain) {
      noteReaders(step);
      result.members.insert(step.position);
    }
    result.chains.push_back(chain);
  }

private:
  /// Where the rows of an op's result are, if a chain may begin with it.
  static std::optional<int64_t> rowsDimOf(Operation *op) {
    if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()))
      return std::nullopt;
    if (std::optional<RowWindow> window = rowWindowOf(op))
      return window->outDim;
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (generic && isElementwiseOfRows(generic))
      for (OpOperand &use : generic->getResult(0).getUses())
        if (std::optional<RowWindow> window = rowWindowOf(use.getOwner()); window && use.getOperandNumber() == 0)
          return window->inDim;
    return std::nullopt;
  }

  bool belongs(Operation *op) {
    bool readsStep = false;
    for (OpOperand &operand : op->getOpOperands()) {
      auto maker = index.find(operand.get().getDefiningOp());
      if (maker == index.end() || chain[maker->second].isReduction)
        continue;
      if (!readerOf(operand, chain.front().rowsDim))
        return false;
      readsStep = true;
    }
    if (!readsStep || op->getNumResults() != 1 || !isStatic(op->getResult(0)))
      return false;
    if (isReduction(op)) // the result has no rows
      return true;
    std::optional<RowWindow> window = rowWindowOf(op);
    return !window || window->outDim == chain.front().rowsDim;
  }

  /// From one index of dim `dim` to the next.
  static int64_t rowBytes(Value map, int64_t dim) {
    auto type = dyn_cast<RankedTensorType>(map.getType());
    if (!type || !type.hasStaticShape())
      return 0;
    return mapBytes(map) / ShapedType::getNumElements(type.getShape().take_front(dim + 1));
  }

  static bool isReduction(Operation *op) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    return generic && generic.getNumReductionLoops();
  }

  void add(Operation *op, int64_t rowsDim) {
    Value y = op->getResult(0);
    ChainStep step;
    step.op = op;
    step.rowsDim = rowsDim;
    step.isReduction = isReduction(op);
    step.isElementwise = isa<linalg::GenericOp>(op) && !step.isReduction;
    step.rows = step.isReduction ? cast<linalg::GenericOp>(op).getStaticLoopRanges()[rowsDim]
                                 : cast<RankedTensorType>(y.getType()).getDimSize(rowsDim);
    // What pools and elementwise ops do counts as one multiplication per element.
    step.work = std::max(work.macsOf(op), cast<RankedTensorType>(y.getType()).getNumElements());
    int64_t inDim = rowsDim;
    if (std::optional<RowWindow> window = rowWindowOf(op)) {
      inDim = window->inDim;
      step.stride = window->stride;
      step.extent = window->extent;
      step.pad = window->pad;
      step.inputRowElements = cast<RankedTensorType>(op->getOperand(0).getType()).getNumElements() / window->inputRows;
    }
    if (auto conv = dyn_cast<ConvOp>(op)) {
      step.width = cast<RankedTensorType>(y.getType()).getDimSize(rowsDim + 1);
      step.depthwise = conv.getGroup() > 1 ? static_cast<int64_t>(conv.getGroup()) : 0;
    }
    step.outputBytes = mapBytes(y);
    step.outputRowBytes = step.isReduction ? 0 : rowBytes(y, rowsDim);
    step.inputRowBytes = rowBytes(op->getOperand(0), inDim);
    step.endingInputBytes = lifetimes.endingAt(op->getOpOperand(0));
    for (Value operand : cast<DestinationStyleOpInterface>(op).getDpsInputs())
      if (isConstant(operand, cache))
        step.weightBytes += mapBytes(operand);
    step.position = lifetimes.positionOf(op);
    step.isReadElsewhere = step.isReduction;
    index[op] = chain.size();
    chain.push_back(step);
  }

  void noteReaders(ChainStep &step) {
    for (OpOperand &use : step.op->getResult(0).getUses()) {
      auto reader = index.find(use.getOwner());
      if (step.isReduction || reader == index.end()) {
        step.isReadElsewhere = true;
        continue;
      }
      RowReader read = *readerOf(use, step.rowsDim);
      read.step = reader->second;
      step.readers.push_back(read);
    }
    llvm::stable_sort(step.readers, [](const RowReader &a, const RowReader &b) { return a.step < b.step; });
  }

  RowChains &result;
  const MapLifetimes &lifetimes;
  EvaluationCache cache;
  Work work;
  std::vector<ChainStep> chain;
  DenseMap<Operation *, size_t> index; ///< of an op's step
};

} // namespace

RowChains::RowChains(Block &block, const MapLifetimes &lifetimes) {
  Collector collector(*this, lifetimes);
  for (Operation &op : block)
    collector.collect(&op);
}

} // namespace sinter
