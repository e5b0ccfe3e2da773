// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On GPUs: a convolution that expands channels, the depthwise one that alone reads its result, and the 1x1 that alone
// reads that one's are one launch, as blocks of mobile nets have them (MobileNetV2's and its successors'; the first
// block of such nets has the net's first convolution in front, or nothing). The hidden maps, a few times as wide as
// those between blocks, lie in shared memory only. What is split among blocks of a grid needs words that are zero
// before each such launch: the first launch of this form clears them if it splits nothing itself, else a fill does; the
// others leave them so.
//
// Preconditions: kernels of pixels, float or halves; a tile that fits into shared memory of all the target's GPUs; an
// estimate by which this is faster than a launch for each convolution.
#include "passes/passes.h"

#include "kernels/cuda/support/inverted_residual.h"
#include "memory/footprint.h"
#include "passes/launches/support/launches.h"
#include "passes/support/choices.h"

#include "ir/value_names.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr StringRef residualName = "inverted_residual";

/// The convolution that makes all of `map`, which no other op than it and `reader` touches.
ConvOp convMakerOf(Value map, ConvOp reader) {
  auto buffer = map.getDefiningOp<memref::AllocOp>();
  std::optional<SmallVector<Operation *>> users = buffer ? usersOf(buffer) : std::nullopt;
  if (!users || users->size() != 2 || users->back() != reader || llvm::count(reader->getOperands(), map) != 1)
    return {};
  auto maker = dyn_cast<ConvOp>(users->front());
  return maker && maker.getInits().size() == 1 && maker.getInits()[0] == map ? maker : ConvOp();
}

/// Whether nothing that the parts read is where the last of them writes: blocks are in no order.
bool writesElsewhere(ArrayRef<Operation *> ops, ConvOp project) {
  Value written = rootOf(project.getInits()[0]);
  return llvm::all_of(ops, [&](Operation *op) {
    return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
      bool isResult = op == project && project.isDpsInit(&operand);
      return isResult || !isa<MemRefType>(operand.get().getType()) || rootOf(operand.get()) != written;
    });
  });
}

void note(ConvOp depthwise, const Twine &answer, const ResidualPlan *plan) {
  Builder b(depthwise.getContext());
  SmallVector<CandidateAttr> all;
  if (CandidatesAttr others = depthwise.getCandidatesAttr())
    llvm::append_range(all, others.getAll());
  all.push_back(CandidateAttr::get(b.getContext(), residualName, answer.str(),
                                   plan ? b.getF64FloatAttr(plan->microseconds) : FloatAttr()));
  depthwise.setCandidatesAttr(CandidatesAttr::get(b.getContext(), all));
}

struct Fused {
  LaunchOp launch;
  ResidualPlan plan;
  int64_t images;

  int64_t counters() const { return plan.shape.tile.splits > 1 ? images * plan.shape.tilesOfImage() : 0; }
};

/// The parts as a launch, if that pays; without the first of them, if only that does. The first launch of a block
/// splits nothing if that pays, so that it can clear the others' counters.
std::optional<Fused> fuseResidual(ConvOp depthwise, ConvOp project, bool isFirst, const Target &target) {
  SmallVector<ResidualParts> ways;
  if (ConvOp expand = convMakerOf(depthwise.getInput(), depthwise))
    ways.push_back({expand, depthwise, project});
  ways.push_back({{}, depthwise, project});
  for (const ResidualParts &parts : ways) {
    SmallVector<Operation *> ops;
    for (ConvOp part : {parts.expand, parts.depthwise, parts.project})
      if (part)
        ops.push_back(part);
    StringRef whyNot = "others touch its maps in between";
    std::optional<ResidualPlan> plan;
    if (canMeet(ops) && writesElsewhere(ops, project)) {
      plan = planResidual(parts, target, !isFirst, whyNot);
      if (isFirst && (!plan || !plan->pays()))
        plan = planResidual(parts, target, true, whyNot);
    }
    std::string with =
        parts.expand ? "with the convolutions before and behind it: " : "with the convolution behind it: ";
    if (!plan || !plan->pays()) {
      note(depthwise, with + (plan ? "takes longer than one by one" : whyNot), plan ? &*plan : nullptr);
      continue;
    }
    note(depthwise, with + "taken, " + describeTile(plan->shape.tile), &*plan);
    auto type = cast<MemRefType>(project.getInits()[0].getType());
    int64_t images = ShapedType::isDynamic(type.getShape()[0]) ? 1 : type.getShape()[0];
    if (int64_t partials = plan->shape.partials(images)) {
      OpBuilder b(ops.front());
      Value sums =
          b.create<memref::AllocOp>(withoutValueNames(project.getLoc()), MemRefType::get({partials}, b.getF32Type()));
      project.getInitsMutable().append(sums);
    }
    LaunchOp launch = makeLaunch(residualName, ops, [&](memref::AllocOp buffer) {
      return buffer == depthwise.getInput().getDefiningOp() || buffer == depthwise.getInits()[0].getDefiningOp();
    });
    return Fused{launch, *plan, images};
  }
  return std::nullopt;
}

/// Words of zeros for the launches of a block that split channels, which the first launch clears, or a fill in
/// front of it.
void placeResidualCounters(ArrayRef<Fused> launches) {
  int64_t count = 0;
  for (const Fused &fused : launches)
    count = std::max(count, fused.counters());
  if (count == 0)
    return;
  LaunchOp first = launches.front().launch;
  OpBuilder b(first);
  Location loc = withoutValueNames(first.getLoc());
  Value counters = b.create<memref::AllocOp>(loc, MemRefType::get({count}, b.getI32Type()));
  Value zero = b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(0));
  if (launches.front().counters() > 0)
    b.create<linalg::FillOp>(loc, zero, counters);
  for (const Fused &fused : launches) {
    LaunchOp launch = fused.launch;
    if (fused.counters() == 0 && launch != first)
      continue;
    b.setInsertionPoint(launch.getBody().front().getTerminator());
    b.create<linalg::FillOp>(loc, zero, counters);
    launch.getInitsMutable().append(counters);
  }
}

} // namespace

void printFusedBlocks(ModuleOp module, raw_ostream &out) {
  module.walk([&](ConvOp op) {
    CandidatesAttr candidates = op.getCandidatesAttr();
    if (!candidates ||
        llvm::none_of(candidates.getAll(), [](CandidateAttr each) { return each.getKernel() == residualName; }))
      return;
    printChoice(op, residualName, out);
  });
}

LogicalResult fuseInvertedResiduals(ModuleOp module, const Target &target) {
  if (!target.isGpu())
    return success();
  SmallVector<ConvOp> convolutions;
  module.walk([&](ConvOp op) {
    if (isa<MemRefType>(op.getInput().getType()))
      convolutions.push_back(op);
  });
  llvm::MapVector<Block *, SmallVector<Fused>> byBlock;
  for (ConvOp project : convolutions) {
    ConvOp depthwise = convMakerOf(project.getInput(), project);
    if (!depthwise || depthwise.getGroup() == 1)
      continue;
    Block *block = project->getBlock();
    if (std::optional<Fused> fused = fuseResidual(depthwise, project, byBlock[block].empty(), target))
      byBlock[block].push_back(*fused);
  }
  for (auto &[block, launches] : byBlock)
    placeResidualCounters(launches);
  return success();
}

} // namespace sinter
