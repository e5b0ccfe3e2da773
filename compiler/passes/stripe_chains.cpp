// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of convolutions, pools and elementwise ops stripe by stripe: a loop over rows of the last op's output, in
// which each op computes the rows that the next one reads, so that what lies between them stays in the cache, or never
// takes a whole feature map's memory. Rows that two stripes read are computed twice. What is worth it:
// stripe_choice.cpp.
//
// Preconditions of a link between two ops: static sizes, one block, the first op's result has one use, which is the
// second op's input (not its epilogue's), and both can be tiled by rows (ir/row_window.h).
#include "passes.h"

#include "map_lifetimes.h"
#include "stripe_choice.h"

#include "interpreter/interpreter.h"
#include "ir/work.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace sinter;

namespace {

/// Elementwise, with the operand read as the output is written: rows are what they are in the op before.
bool isElementwise(linalg::GenericOp generic, OpOperand &input) {
  return generic.getNumDpsInits() == 1 && generic->getNumResults() == 1 && !generic.getNumReductionLoops() &&
         generic.isDpsInput(&input) && generic.getMatchingIndexingMap(&input).isIdentity() &&
         generic.getMatchingIndexingMap(generic.getDpsInitOperand(0)).isIdentity() && !generic.hasIndexSemantics() &&
         llvm::all_of(generic->getOperandTypes(), [](Type type) {
           auto shaped = dyn_cast<RankedTensorType>(type);
           return !shaped || shaped.hasStaticShape();
         });
}

/// The chains of a block, each as long as its links hold.
class Chains {
public:
  Chains(Block &block, const MapLifetimes &lifetimes) : lifetimes(lifetimes) {
    for (Operation &op : block)
      collect(&op);
  }

  std::vector<std::vector<ChainStep>> chains;
  DenseSet<int64_t> members; ///< positions of all steps

private:
  /// The op that `op`'s result is handed on to, if the link's preconditions hold.
  Operation *nextOf(Operation *op) const {
    Value y = op->getResult(0);
    if (!y.hasOneUse() || !cast<RankedTensorType>(y.getType()).hasStaticShape())
      return nullptr;
    OpOperand &use = *y.use_begin();
    Operation *next = use.getOwner();
    if (next->getBlock() != op->getBlock())
      return nullptr;
    if (auto generic = dyn_cast<linalg::GenericOp>(next))
      return isElementwise(generic, use) ? next : nullptr;
    return use.getOperandNumber() == 0 && rowWindowOf(next) ? next : nullptr;
  }

  ChainStep stepOf(Operation *op, int64_t rowsDim) {
    ChainStep step;
    step.op = op;
    Value y = op->getResult(0);
    if (std::optional<RowWindow> window = rowWindowOf(op)) {
      step.window = *window;
    } else {
      step.window.inDim = step.window.outDim = rowsDim;
      step.window.inputRows = step.window.outputRows = cast<RankedTensorType>(y.getType()).getDimSize(rowsDim);
    }
    // What pools and elementwise ops do counts as one multiplication per element.
    step.work = std::max(work.macsOf(op), cast<RankedTensorType>(y.getType()).getNumElements());
    step.outputBytes = mapBytes(y);
    for (Value operand : cast<DestinationStyleOpInterface>(op).getDpsInputs())
      if (isConstant(operand, cache))
        step.weightBytes += mapBytes(operand);
    step.position = lifetimes.positionOf(op);
    return step;
  }

  /// The chain that begins with `op`, if one does.
  void collect(Operation *op) {
    if (members.contains(lifetimes.positionOf(op)) || !rowWindowOf(op) ||
        !isa<RankedTensorType>(op->getResult(0).getType()))
      return;
    std::vector<ChainStep> chain{stepOf(op, 0)};
    while (Operation *next = nextOf(chain.back().op)) {
      ChainStep step = stepOf(next, chain.back().window.outDim);
      if (step.window.inDim != chain.back().window.outDim)
        break;
      chain.push_back(step);
    }
    if (chain.size() < 2)
      return;
    for (const ChainStep &step : chain)
      members.insert(step.position);
    chains.push_back(std::move(chain));
  }

  const MapLifetimes &lifetimes;
  EvaluationCache cache;
  Work work;
};

/// The memory between the steps: as large as the largest stripe, of which a stripe at the border uses a part; sizes of
/// buffers stay constants.
void makeStripeBuffer(tensor::ExtractSliceOp slice, int64_t rowsDim, int64_t rows) {
  SmallVector<int64_t> shape(slice.getSourceType().getShape());
  shape[rowsDim] = rows;
  OpBuilder b(slice);
  slice.getSourceMutable().assign(
      b.create<tensor::EmptyOp>(slice.getLoc(), shape, slice.getSourceType().getElementType()));
  SmallVector<OpFoldResult> offsets(shape.size(), b.getIndexAttr(0));
  auto local = b.create<tensor::ExtractSliceOp>(slice.getLoc(), slice.getSource(), offsets, slice.getMixedSizes(),
                                                slice.getMixedStrides());
  slice.replaceAllUsesWith(local.getResult());
  slice.erase();
}

std::string describe(const Segment &segment, const StripeGoal &goal) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << segment.stripes << " stripes of " << segment.rows << (segment.rows == 1 ? " row, " : " rows, ")
      << llvm::format("%.0f", segment.repeatedWork * 100) << " % of the work repeated: ";
  if (goal.leastMemory)
    out << "buffers of " << segment.stripeBytes << " bytes instead of whole feature maps";
  else
    out << llvm::format("%.0f", segment.cycles / 1000) << " instead of "
        << llvm::format("%.0f", segment.plainCycles / 1000) << " thousand cycles by estimate, because "
        << segment.stripeBytes << " bytes stay in L2";
  return text;
}

LogicalResult fuse(ArrayRef<ChainStep> steps, const Segment &segment, const StripeGoal &goal) {
  const ChainStep &last = steps.back();
  IRRewriter rewriter(last.op->getContext());
  SmallVector<OpFoldResult> tile(cast<RankedTensorType>(last.op->getResult(0).getType()).getRank(),
                                 rewriter.getIndexAttr(0));
  tile[last.window.outDim] = rewriter.getIndexAttr(segment.rows);
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setTileSizes(tile);
  auto isStep = [&](Operation *op) {
    return llvm::any_of(steps, [&](const ChainStep &step) { return step.op == op; });
  };
  options.setFusionControlFn([&](tensor::ExtractSliceOp, OpResult producer, bool isDestination) {
    return std::make_tuple(!isDestination && isStep(producer.getOwner()), false);
  });
  rewriter.setInsertionPoint(last.op);
  auto result = scf::tileConsumerAndFuseProducersUsingSCF(rewriter, cast<TilingInterface>(last.op), options);
  if (failed(result) || result->loops.size() != 1)
    return last.op->emitOpError("cannot be computed in stripes");
  Operation *loop = result->loops[0];
  loop->setAttr("sinter.stripes", rewriter.getStringAttr(describe(segment, goal)));
  std::vector<StripedRows> rows = stripedRows(steps, segment.rows);
  auto tiles =
      llvm::to_vector(cast<scf::ForOp>(loop).getBody()->getOps<DestinationStyleOpInterface>()); // in the chain's order
  for (auto [step, computed, tile] : llvm::zip_equal(steps, rows, tiles))
    if (step.op != last.op)
      makeStripeBuffer(tile.getDpsInits()[0].getDefiningOp<tensor::ExtractSliceOp>(), step.window.outDim,
                       computed.most);
  rewriter.replaceOp(last.op, result->replacements.lookup(last.op->getResult(0)));
  // What the tiles were cut from, which upstream leaves behind.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*cast<scf::ForOp>(loop).getBody())))
    if (isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
  for (const ChainStep &step : llvm::reverse(steps.drop_back()))
    rewriter.eraseOp(step.op);
  return success();
}

} // namespace

LogicalResult sinter::stripeChains(ModuleOp module) {
  StripeGoal goal = StripeGoal::of(module);
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    Block &block = function.getBody().front();
    MapLifetimes lifetimes(block);
    Chains found(block, lifetimes);
    auto live = [&](int64_t from, int64_t to) { return lifetimes.liveBytes(from, to); };
    int64_t limit = lifetimes.largestExcept(found.members);
    if (goal.leastMemory)
      for (const auto &chain : found.chains)
        limit = std::max(limit, leastLiveBytes(chain, goal, live));
    // All choices before the first rewrite: positions and lifetimes are those of the program as it was.
    std::vector<std::pair<std::vector<ChainStep>, Segment>> chosen;
    for (const auto &chain : found.chains)
      for (const Segment &segment : chooseSegments(chain, goal, live, limit))
        if (segment.isFused())
          chosen.emplace_back(std::vector(chain.begin() + segment.first, chain.begin() + segment.last + 1), segment);
    for (const auto &[steps, segment] : chosen)
      if (failed(fuse(steps, segment, goal)))
        return failure();
  }
  return success();
}
