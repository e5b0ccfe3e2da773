// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "feature_maps.h"

#include "blocked_layout.h"

#include "interpreter/interpreter.h"
#include "passes/support/channel_gather.h"
#include "passes/support/contractions.h"

using namespace mlir;

namespace sinter {
namespace {

/// Do the groups of a reshape leave batch and channel alone?
bool keepsBatchAndChannel(ArrayRef<ReassociationIndices> groups) {
  return groups.size() >= 3 && groups[0].size() == 1 && groups[1].size() == 1;
}

bool movesToEnd(ArrayRef<int64_t> permutation) { // [0, 2, ..., rank - 1, 1]
  auto rank = static_cast<int64_t>(permutation.size());
  if (rank < 3 || permutation.front() != 0 || permutation.back() != 1)
    return false;
  return llvm::equal(permutation.slice(1, rank - 2), llvm::seq<int64_t>(2, rank));
}

bool movesFromEnd(ArrayRef<int64_t> permutation) { // [0, rank - 1, 1, ..., rank - 2]
  auto rank = static_cast<int64_t>(permutation.size());
  if (rank < 3 || permutation[0] != 0 || permutation[1] != rank - 1)
    return false;
  return llvm::equal(permutation.drop_front(2), llvm::seq<int64_t>(1, rank - 1));
}

bool isMap(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() >= 2 && !type.isDynamicDim(1);
}

} // namespace

bool hasNarrowIntegers(Value map) {
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(map.getType()));
  return type && type.getWidth() > 1 && type.getWidth() <= 16;
}

namespace {

/// Do kernels of integers read maps in blocks? Those of bytes on vectors are of one or two spatial dims of known sizes
/// (sizesOfBytes) and of any groups, whose filters have to be bytes less their zero point; one volume becomes planes
/// (volumeAsPlanes). What they leave, sums of 16-bit integers and several volumes among it, goes along rows.
bool haveKernelOnBlocks(ConvOp conv, const Target &target) {
  bool isAlone = conv.getGroup() == 1 || hasFilterPerChannel(conv);
  if (target.isGpu() || target.byteKernels != ByteKernels::Dot4 || target.vectorRegisters == 0)
    return isAlone || target.isGpu();
  auto input = cast<RankedTensorType>(conv.getInput().getType()),
       output = cast<RankedTensorType>(conv.getInits()[0].getType());
  return input.getElementType().isInteger(8) && getElementTypeOrSelf(conv.getFilter()).isInteger(8) &&
         conv.accumulatorType().isInteger(32) &&
         (input.getRank() <= 4 || (input.getRank() == 5 && input.getDimSize(0) == 1 && hasTapsOfPlanes(conv))) &&
         !ShapedType::isDynamicShape(input.getShape().drop_front()) &&
         !ShapedType::isDynamicShape(output.getShape().drop_front()) &&
         (isAlone || conv.getFilterZero() == (conv.isFilterUnsigned() ? 128 : 0));
}

} // namespace

bool takesBlocks(ConvOp conv, const Target &target) {
  auto input = dyn_cast<RankedTensorType>(conv.getInput().getType());
  auto output = dyn_cast<RankedTensorType>(conv.getInits()[0].getType());
  if (conv.getLayout() != "nchw" || !input || input.isDynamicDim(1) || output.isDynamicDim(1))
    return false;
  Type element = input.getElementType();
  bool isOfIntegers = hasNarrowIntegers(conv.getInput());
  bool isTaken = isa<Float32Type, Float16Type>(element) || (target.isGpu() && element.isBF16()) || isOfIntegers;
  EvaluationCache cache; // a filter made at run time is in no panels
  return isTaken && conv.getEpilogueInputs().empty() && !suitsRows(conv, target) && !suitsPoints(conv, target) &&
         (target.isGpu() || isConstant(conv.getFilter(), cache)) &&
         (isOfIntegers ? haveKernelOnBlocks(conv, target)
                       : conv.getGroup() == 1 || hasFilterPerChannel(conv) || target.isGpu() ||
                             isInSmallGroups(conv, target) || isInLargeGroups(conv, target));
}

Value mapMadeChannelsLast(linalg::TransposeOp transpose) {
  if (!movesToEnd(transpose.getPermutation()))
    return {};
  Value map = transpose.getInput();
  if (auto collapse = map.getDefiningOp<tensor::CollapseShapeOp>();
      collapse && keepsBatchAndChannel(collapse.getReassociationIndices()))
    return collapse.getSrc();
  return map;
}

Value channelsLastSource(Value map) {
  if (auto expand = map.getDefiningOp<tensor::ExpandShapeOp>();
      expand && keepsBatchAndChannel(expand.getReassociationIndices()))
    map = expand.getSrc();
  auto transpose = map.getDefiningOp<linalg::TransposeOp>();
  return transpose && movesFromEnd(transpose.getPermutation()) ? transpose.getInput() : Value();
}

FeatureMaps::FeatureMaps(ModuleOp module, const Target &target) : target(target) {
  module.walk([&](Operation *op) { add(op); });
  for (Value map : lastWanted)
    channelsLast.insert(leaderOf(map));
  for (Value map : split)
    channelsLast.erase(leaderOf(map));
  // Where one of the parts has no whole blocks, joining and cutting would copy: all in one block is spared that.
  DenseSet<void *> uneven;
  for (Value map : tied)
    if (cast<RankedTensorType>(map.getType()).getDimSize(1) % target.lanes() != 0)
      uneven.insert(leaderOf(map));
  for (Value map : split)
    if (uneven.contains(leaderOf(map)))
      channelsLast.insert(leaderOf(map));
  for (Value map : ofIntegers)
    channelsLast.insert(leaderOf(map));
  for (Value map : ofConvolutions)
    convolved.insert(leaderOf(map));
}

int64_t FeatureMaps::blockOf(Value map) const {
  int64_t channels = cast<RankedTensorType>(map.getType()).getDimSize(1);
  return channelsLast.contains(leaderOf(map)) ? channels : channelBlock(target, channels);
}

void *FeatureMaps::leaderOf(Value map) const {
  auto it = ties.findLeader(map.getAsOpaquePointer());
  return it == ties.member_end() ? map.getAsOpaquePointer() : *it;
}

void FeatureMaps::tie(Value a, Value b) {
  if (!isMap(a) || !isMap(b))
    return;
  ties.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer());
  tied.append({a, b});
}

void FeatureMaps::addLoopNest(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op->getNumResults() != 1 || !isMap(op.getResult(0)))
    return;
  AffineExpr channel = op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResult(1);
  for (OpOperand *input : op.getDpsInputOperands())
    if (AffineMap map = op.getMatchingIndexingMap(input); isMap(input->get()) && map.getResult(1) == channel)
      tie(input->get(), op.getResult(0));
  op.getBody()->walk([&](tensor::ExtractOp extract) {
    tie(extract.getTensor(), op.getResult(0));
    if (EvaluationCache cache; channelGather(op.getResult(0), cache))
      split.append({extract.getTensor(), op.getResult(0)});
  });
}

void FeatureMaps::add(Operation *op) {
  if (auto conv = dyn_cast<ConvOp>(op)) {
    if (!takesBlocks(conv, target))
      return;
    ofConvolutions.append({conv.getInput(), conv->getResult(0)});
    if (hasNarrowIntegers(conv.getInput()))
      ofIntegers.append({conv.getInput(), conv->getResult(0)});
    bool isAlike = cast<RankedTensorType>(conv.getInput().getType()).getDimSize(1) ==
                   cast<RankedTensorType>(conv->getResult(0).getType()).getDimSize(1);
    if (isAlike && (hasFilterPerChannel(conv) || isInSmallGroups(conv, target)))
      tie(conv.getInput(), conv->getResult(0));
  } else if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    addLoopNest(generic);
  } else if (auto pool = dyn_cast<PoolOp>(op)) {
    tie(pool.getInput(), pool->getResult(0));
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    for (Value part : concat.getInputs())
      tie(part, concat.getResult());
    if (concat.getDim() == 1)
      split.push_back(concat.getResult());
  } else if (isa<tensor::InsertSliceOp, tensor::ExtractSliceOp>(op)) {
    Value part = op->getOperand(0), result = op->getResult(0);
    auto from = cast<RankedTensorType>(part.getType()), to = cast<RankedTensorType>(result.getType());
    if (from.getRank() == to.getRank() && from.getRank() >= 2) {
      tie(part, result);
      if (from.getDimSize(1) != to.getDimSize(1))
        split.append({part, result});
    }
  } else if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    if (Value map = mapMadeChannelsLast(transpose))
      lastWanted.push_back(map);
  }
  if (isa<linalg::TransposeOp, tensor::ExpandShapeOp>(op) && channelsLastSource(op->getResult(0)))
    lastWanted.push_back(op->getResult(0));
}

} // namespace sinter
