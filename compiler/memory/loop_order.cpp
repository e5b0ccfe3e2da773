// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop's index arithmetic is run for each iteration; rows of a map are views whose offsets and sizes are then
// numbers. check_order.cpp does the same on its own, byte by byte.
#include "loop_order.h"

#include "aliases.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace sinter {
namespace {

/// Elements of a buffer.
struct Part {
  int64_t offset = 0;
  SmallVector<int64_t> sizes, strides;
};

class Iteration {
public:
  Iteration(Value variable, int64_t number) { numbers[variable] = number; }

  /// Nullopt where it is not known, or not one part.
  std::optional<Part> partOf(Value view) {
    auto type = cast<MemRefType>(view.getType());
    Part part;
    if (failed(getStridesAndOffset(type, part.strides, part.offset)) ||
        llvm::any_of(part.strides, ShapedType::isDynamic))
      return std::nullopt;
    if (auto cut = view.getDefiningOp<memref::SubViewOp>())
      return cutFrom(cut, std::move(part));
    if (!type.hasStaticShape())
      return std::nullopt;
    part.sizes.assign(type.getShape().begin(), type.getShape().end());
    if (ShapedType::isDynamic(part.offset)) { // another shape at the same place
      auto other = view.getDefiningOp<ViewLikeOpInterface>();
      if (!other || isa<memref::ReinterpretCastOp>(other))
        return std::nullopt;
      std::optional<Part> source = partOf(other.getViewSource());
      if (!source)
        return std::nullopt;
      part.offset = source->offset;
    }
    return part;
  }

private:
  std::optional<Part> cutFrom(memref::SubViewOp cut, Part part) {
    std::optional<Part> source = partOf(cut.getSource());
    if (!source)
      return std::nullopt;
    llvm::SmallBitVector dropped = cut.getDroppedDims();
    part.offset = source->offset;
    for (auto [dim, offset, size] : llvm::enumerate(cut.getMixedOffsets(), cut.getMixedSizes())) {
      std::optional<int64_t> from = number(offset), count = number(size);
      if (!from || !count)
        return std::nullopt;
      part.offset += *from * source->strides[dim];
      if (!dropped[dim])
        part.sizes.push_back(*count);
    }
    return part;
  }

  std::optional<int64_t> number(OpFoldResult value) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return constant;
    auto index = cast<Value>(value);
    if (auto known = numbers.find(index); known != numbers.end())
      return known->second;
    std::optional<int64_t> result;
    if (auto apply = index.getDefiningOp<affine::AffineApplyOp>())
      result = best(apply, std::equal_to<>());
    else if (auto min = index.getDefiningOp<affine::AffineMinOp>())
      result = best(min, std::less<>());
    else if (auto max = index.getDefiningOp<affine::AffineMaxOp>())
      result = best(max, std::greater<>());
    if (result)
      numbers[index] = *result;
    return result;
  }

  template <class Op, class IsBetter>
  std::optional<int64_t> best(Op op, IsBetter isBetter) {
    SmallVector<Attribute> operands, results;
    for (Value operand : op->getOperands()) {
      std::optional<int64_t> value = number(operand);
      if (!value)
        return std::nullopt;
      operands.push_back(IntegerAttr::get(operand.getType(), *value));
    }
    if (failed(op.getMap().constantFold(operands, results)))
      return std::nullopt;
    int64_t found = cast<IntegerAttr>(results[0]).getInt();
    for (Attribute result : llvm::drop_begin(results))
      if (int64_t value = cast<IntegerAttr>(result).getInt(); isBetter(value, found))
        found = value;
    return found;
  }

  DenseMap<Value, int64_t> numbers;
};

class Walk {
public:
  Walk(scf::ForOp loop, const Lifetimes &lifetimes, ArrayRef<int64_t> bytes)
      : loop(loop), lifetimes(lifetimes), bytes(bytes) {
    loop.getBody()->walk([&](Operation *op) {
      if (isa<ViewLikeOpInterface, memref::DimOp, memref::AllocOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
        return;
      Operation *child = loop.getBody()->findAncestorOpInBlock(*op);
      for (OpOperand &operand : op->getOpOperands())
        if (lifetimes.owners.contains(operand.get()))
          touches.emplace_back(child, &operand);
    });
  }

  std::optional<LoopAccesses> run() {
    std::optional<int64_t> from = getConstantIntValue(loop.getLowerBound()),
                           to = getConstantIntValue(loop.getUpperBound()), by = getConstantIntValue(loop.getStep());
    if (!from || !to || !by || *from >= *to ||
        (*to - *from) / *by > mostLoopAccesses / static_cast<int64_t>(touches.size() + 1))
      return std::nullopt;
    for (int64_t at = *from; at < *to; at += *by) {
      Iteration iteration(loop.getInductionVar(), at);
      Operation *last = nullptr;
      for (auto [child, operand] : touches) {
        step += child != std::exchange(last, child);
        note(*operand, iteration);
      }
    }
    return std::move(accesses);
  }

private:
  void note(OpOperand &operand, Iteration &iteration) {
    const auto &owners = lifetimes.owners.find(operand.get())->second;
    for (unsigned owner : owners) {
      memref::AllocOp alloc = lifetimes.buffers[owner].alloc;
      if (loop->isProperAncestor(alloc))
        continue;
      auto type = cast<MemRefType>(operand.get().getType());
      bool isElements = owners.size() == 1 && type.getElementType() == alloc.getType().getElementType() &&
                        alloc.getType().hasStaticShape() && bytes[owner] > 0;
      std::optional<Part> part = isElements ? iteration.partOf(operand.get()) : std::nullopt;
      LoopAccess access{step, false, 0, bytes[owner]};
      if (part) {
        if (llvm::any_of(part->sizes, [](int64_t size) { return size <= 0; }))
          continue; // no rows yet, or no more
        int64_t last = part->offset, width = bytes[owner] / alloc.getType().getNumElements();
        for (auto [size, stride] : llvm::zip(part->sizes, part->strides))
          last += (size - 1) * stride;
        access.begin = part->offset * width;
        access.end = (last + 1) * width;
      }
      if (mayRead(operand))
        accesses[owner].push_back(access);
      access.writes = true;
      if (mayWrite(operand))
        accesses[owner].push_back(access);
    }
  }

  scf::ForOp loop;
  const Lifetimes &lifetimes;
  ArrayRef<int64_t> bytes;
  std::vector<std::pair<Operation *, OpOperand *>> touches; ///< with the op of the loop's own block that they are in
  int64_t step = 0;
  LoopAccesses accesses;
};

} // namespace

std::optional<LoopAccesses> accessesOf(scf::ForOp loop, const Lifetimes &lifetimes, ArrayRef<int64_t> bytes) {
  return Walk(loop, lifetimes, bytes).run();
}

std::optional<int64_t> distanceOf(ArrayRef<LoopAccess> input, ArrayRef<LoopAccess> output, int64_t inputBytes) {
  int64_t distance = -inputBytes, least = INT64_MAX; // `least`: the first byte that is still to be read
  for (const LoopAccess &write : llvm::reverse(output)) {
    for (; !input.empty() && input.back().step >= write.step; input = input.drop_back()) {
      if (input.back().writes)
        return std::nullopt;
      least = std::min(least, input.back().begin);
    }
    if (write.writes && least != INT64_MAX)
      distance = std::max(distance, write.end - least);
  }
  return llvm::any_of(input, [](const LoopAccess &access) { return access.writes; }) ? std::nullopt
                                                                                     : std::optional(distance);
}

} // namespace sinter
