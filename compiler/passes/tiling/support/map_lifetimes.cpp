// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "map_lifetimes.h"

#include "interpreter/interpreter.h"
#include "ir/dialect.h"
#include "memory/in_place.h"
#include "memory/row_order.h"

#include <numeric>

using namespace mlir;

namespace sinter {

int64_t mapBytes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getElementType().isIntOrFloat()
             ? type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8)
             : 0;
}

MapLifetimes::MapLifetimes(Block &block, const Target &target, Threads threads, bool overlaps)
    : target(target), threads(threads), overlaps(overlaps) {
  for (Operation &op : block)
    positions[&op] = static_cast<int64_t>(positions.size());
  EvaluationCache cache;
  for (Operation &op : block)
    add(&op, cache);
  llvm::stable_sort(maps, [](const Map &a, const Map &b) { return a.first < b.first; });
  // Most maps are short-lived: what lives somewhere is the difference of two sums, plus a look at the neighbourhood.
  started.resize(positions.size() + 1);
  ended.resize(positions.size() + 1);
  for (const Map &map : maps) {
    started[map.first + 1] += map.bytes;
    ended[map.last + 1] += map.bytes;
  }
  std::partial_sum(started.begin(), started.end(), started.begin());
  std::partial_sum(ended.begin(), ended.end(), ended.begin());
}

int64_t MapLifetimes::liveBytes(int64_t from, int64_t to) const {
  int64_t bytes = started[to + 1] - ended[from];
  if (from == to)
    return bytes - overwritten.lookup(from);
  auto byFirst = [](const Map &map, int64_t position) { return map.first < position; };
  for (auto map = llvm::lower_bound(maps, from, byFirst); map != maps.end() && map->first <= to; ++map)
    bytes -= map->last <= to ? map->bytes : 0;
  return bytes;
}

int64_t MapLifetimes::largestExcept(const DenseSet<int64_t> &positions) const {
  int64_t bytes = 0;
  for (const Map &map : maps)
    if (!positions.contains(map.first))
      bytes = std::max(bytes, liveBytes(map.first, map.first));
  return bytes;
}

void MapLifetimes::add(Operation *op, EvaluationCache &cache) {
  if (auto input = dyn_cast<bufferization::ToTensorOp>(op);
      input && op->getParentOfType<ModuleOp>()->hasAttr("sinter.io_in_arena"))
    if (int64_t bytes = mapBytes(op->getResult(0))) {
      maps.push_back({0, lastUse(op->getResult(0)), bytes});
      endings[op->getResult(0)] = maps.back().last;
    }
  if (!isa<DestinationStyleOpInterface, tensor::ConcatOp, tensor::InsertSliceOp, tensor::PadOp>(op))
    return;
  int64_t position = positions.lookup(op), first = position;
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) // lives from its first part on, which is made in its place
    for (Value part : concat.getInputs())
      if (Operation *maker = part.getDefiningOp(); maker && positions.contains(maker))
        first = std::min(first, positions.lookup(maker));
  for (Value result : op->getResults()) {
    bool liesElsewhere =
        llvm::any_of(result.getUsers(), [](Operation *user) { // in the whole, or in the caller's memory
          return isa<tensor::ConcatOp, bufferization::MaterializeInDestinationOp>(user);
        });
    if (int64_t bytes = mapBytes(result); bytes && !liesElsewhere && !isConstant(result, cache)) {
      maps.push_back({first, lastUse(result), bytes});
      endings[result] = maps.back().last;
    }
  }
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!dps || dps.getNumDpsInits() != 1 || dps->getNumResults() != 1)
    return;
  for (OpOperand *operand : readInPlace(dps, *dps.getDpsInitOperand(0)))
    if (Value read = operand->get(); isa_and_nonnull<DestinationStyleOpInterface>(read.getDefiningOp()))
      if (mapBytes(read) == mapBytes(op->getResult(0)) && lastUse(read) == position)
        overwritten[position] = mapBytes(read);
  if (overwritten.contains(position) || maps.empty() || maps.back().first != position)
    return;
  for (OpOperand *input : dps.getDpsInputOperands())
    if (int64_t above = endingAt(*input))
      if (std::optional<RowWalk> walk = rowWalkOf(dps, *input, target, threads))
        overwritten[position] = bytesShared(above, mapBytes(op->getResult(0)), distanceOf(*walk));
}

int64_t MapLifetimes::endingAt(OpOperand &operand) const {
  if (!overlaps)
    return 0;
  Value map = operand.get();
  while (Operation *view = map.getDefiningOp())
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(view))
      map = view->getOperand(0);
    else
      break;
  Operation *op = operand.getOwner();
  int64_t position = positions.lookup(op);
  bool isOnlyOne = llvm::count(op->getOperands(), operand.get()) == 1;
  auto found = endings.find(map);
  return isOnlyOne && found != endings.end() && found->second == position ? mapBytes(map) : 0;
}

int64_t bytesShared(int64_t above, int64_t below, int64_t distance) {
  return std::max<int64_t>(0, above + below - std::max(below, above + std::max<int64_t>(distance, 0)));
}

/// Views of a tensor are the tensor.
int64_t MapLifetimes::lastUse(Value value) const {
  int64_t last = positions.lookup(value.getDefiningOp());
  for (Operation *user : value.getUsers()) {
    while (user && !positions.contains(user))
      user = user->getParentOp();
    if (!user)
      continue;
    last = std::max(last, positions.lookup(user));
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp, tensor::ExtractSliceOp, PermuteOp>(user))
      last = std::max(last, lastUse(user->getResult(0)));
  }
  return last;
}

} // namespace sinter
