// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer that is copied somewhere is made there in the first place: parts of a concatenation that have other readers,
// results that are reshaped on their way to an output. Works on buffer IR, where the order of readers and writers is
// fixed. Copies that remain get their reason.
#include "passes/passes.h"

#include "ir/ordered_moves.h"
#include "memory/footprint.h"
#include "memory/touch_order.h"
#include "passes/buffers/support/retype_uses.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace sinter;

namespace {

/// Of each buffer that a copy comes from or goes to.
class TouchOrders {
public:
  explicit TouchOrders(ModuleOp module) : ops(module) {}

  TouchOrder &of(Value root) {
    std::unique_ptr<TouchOrder> &order = orders[root];
    if (!order)
      order = std::make_unique<TouchOrder>(root, ops);
    return *order;
  }

  /// What touched `source` touches `target` from now on.
  void move(Value source, Value target) {
    for (OpOperand *use : of(source).uses())
      of(target).add(*use);
    orders.erase(source);
  }

  /// `fill` stands where `alloc` stood, which goes.
  void move(linalg::FillOp fill, memref::AllocOp alloc) {
    OpOperand &use = *fill.getDpsInitOperand(0);
    TouchOrder &order = of(use.get());
    order.remove(use);
    ops.takePlace(fill, alloc);
    order.add(use);
  }

  int64_t numberOf(Operation *op) const { return ops.numberOf(op); }

private:
  OpOrder ops;
  DenseMap<Value, std::unique_ptr<TouchOrder>> orders;
};

class CopyDropper {
public:
  CopyDropper(memref::CopyOp copy, TouchOrders &orders)
      : copy(copy), orders(orders), block(copy->getBlock()), builder(copy) {}

  /// Nullopt: dropped. Else the reason why not, for the report.
  std::optional<StringRef> run() {
    if (std::optional<StringRef> reason = traceSource())
      return reason;
    if (!findWindow())
      return "the source changes after the copy";
    Value target = rootOf(copy.getTarget());
    if (!isa_and_nonnull<memref::AllocOp, OutputOp, InputOp>(target.getDefiningOp()))
      return "the destination differs from call to call";
    if (!canStandBefore(copy.getTarget()))
      return "the place in the destination is known too late";
    if (isTouched(target))
      return "the destination is in use while the source is made";
    auto type = cast<MemRefType>(copy.getTarget().getType());
    if (isReshaped && type.getLayout().isIdentity())
      type = alloc.getType();
    else if (isReshaped && !(type = reshapedIn(type, alloc.getType().getShape())))
      return "the reshaped source has no place in the destination";
    if (!retypeUses(alloc.getResult(), type, /*apply=*/false))
      return "a kernel that makes or reads the source needs it contiguous";
    Value place = rebuild(copy.getTarget());
    if (fill) {
      moveInFrontOf(fill, alloc);
      orders.move(fill, alloc);
    }
    if (isReshaped)
      place = reshaped(place, type);
    // What is known of the source's sizes stays known.
    if (MemRefType known = withSizesOf(type, alloc.getType()); known != type) {
      builder.setInsertionPoint(alloc);
      place = builder.create<memref::CastOp>(copy.getLoc(), known, place);
      type = known;
    }
    retypeUses(alloc.getResult(), type, /*apply=*/true);
    orders.of(alloc).remove(copy->getOpOperand(0));
    orders.of(target).remove(copy->getOpOperand(1));
    alloc.getResult().replaceAllUsesWith(place);
    orders.move(alloc, target);
    copy.erase();
    alloc.erase();
    return std::nullopt;
  }

private:
  /// `type`, where its sizes are known at run time only with those of `source`, which lies there.
  static MemRefType withSizesOf(MemRefType type, MemRefType source) {
    SmallVector<int64_t> sizes(type.getShape());
    for (auto [size, known] : llvm::zip(sizes, source.getShape()))
      size = ShapedType::isDynamic(size) ? known : size;
    return MemRefType::get(sizes, type.getElementType(), type.getLayout(), type.getMemorySpace());
  }

  /// A view of all there is, of fewer dims perhaps.
  static bool isWhole(memref::SubViewOp view) {
    return view && view.getSourceType().hasStaticShape() && view.getStaticSizes() == view.getSourceType().getShape() &&
           view.getSourceType().getLayout().isIdentity();
  }

  /// Precondition: the source is the whole of an allocation, at most reshaped.
  std::optional<StringRef> traceSource() {
    Value source = copy.getSource();
    while (isa_and_nonnull<memref::CollapseShapeOp, memref::ExpandShapeOp>(source.getDefiningOp()) ||
           isWhole(source.getDefiningOp<memref::SubViewOp>())) {
      isReshaped = true;
      source = source.getDefiningOp()->getOperand(0);
    }
    alloc = source.getDefiningOp<memref::AllocOp>();
    if (alloc && alloc->getBlock() == block)
      return std::nullopt;
    Operation *origin = rootOf(source).getDefiningOp();
    if (isa_and_nonnull<InputOp>(origin))
      return "the source is the caller's";
    if (isa_and_nonnull<ConstantOp>(origin))
      return "the source is a constant";
    if (isa_and_nonnull<memref::SubViewOp>(source.getDefiningOp()))
      return "the source is a part of a buffer";
    return "the source is made in another block";
  }

  /// Precondition: all writes stand before the copy. The window spans from the first op that touches the source to the
  /// last.
  bool findWindow() {
    TouchOrder &order = orders.of(alloc);
    const auto &[all, writes] = order.in(block);
    if (order.isPassedOn() || all.size() != order.uses().size())
      return false; // carried by a loop, or chosen
    first = all.begin()->first.op;
    last = all.rbegin()->first.op;
    return first != copy && (writes.empty() || writes.rbegin()->first.number < orders.numberOf(copy));
  }

  /// Precondition to fail: from the first touch of the source to the copy nobody touches the place, from there to the
  /// last nobody writes it. A fill of the whole destination that comes first of all may move out of the way.
  bool isTouched(Value target) {
    std::optional<Footprint> place = footprintOf(cast<MemRefType>(copy.getTarget().getType()));
    const auto &[all, writes] = orders.of(target).in(block);
    auto isInTheWay = [&, firstOfTarget = all.begin()->first.op](Operation *op,
                                                                 const std::optional<Footprint> &touched) {
      if (op == copy || areDisjoint(place, touched))
        return false;
      fill = dyn_cast<linalg::FillOp>(op);
      return op != firstOfTarget || !fill || fill.getOutputs()[0] != target ||
             !target.getDefiningOp<memref::AllocOp>() || target.getDefiningOp()->getBlock() != block ||
             !dominates(fill.getInputs()[0]);
    };
    for (auto each = all.lower_bound({orders.numberOf(first), first, nullptr}); each->first.op != copy; ++each)
      if (isInTheWay(each->first.op, each->second))
        return true;
    for (auto each = writes.lower_bound({orders.numberOf(copy), copy, nullptr}); each != writes.end(); ++each) {
      if (each->first.number > orders.numberOf(last))
        return false;
      if (isInTheWay(each->first.op, each->second))
        return true;
    }
    return false;
  }

  bool dominates(Value value) { return dominance.properlyDominates(value, alloc); }

  bool canStandBefore(Value value) {
    if (dominates(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<ViewLikeOpInterface, memref::AllocOp, OutputOp>(op))
      return false;
    bool isView = isa<ViewLikeOpInterface>(op);
    return llvm::all_of(llvm::enumerate(op->getOperands()), [&](auto operand) {
      return isView && operand.index() == 0 ? canStandBefore(operand.value()) : dominates(operand.value());
    });
  }

  /// The destination, in front of the source's allocation: views are made anew, buffers move.
  Value rebuild(Value value) {
    if (dominates(value))
      return value;
    Operation *op = value.getDefiningOp();
    if (!isa<ViewLikeOpInterface>(op)) {
      moveInFrontOf(op, alloc);
      return value;
    }
    IRMapping mapping;
    mapping.map(op->getOperand(0), rebuild(op->getOperand(0)));
    builder.setInsertionPoint(alloc);
    return builder.clone(*op, mapping)->getResult(0);
  }

  /// The place as a buffer of the source's sizes. Where a stride is dynamic, the buffer is gapless.
  Value reshaped(Value place, MemRefType type) {
    builder.setInsertionPoint(alloc);
    SmallVector<OpFoldResult> sizes = getMixedValues(type.getShape(), alloc.getDynamicSizes(), builder);
    auto [staticStrides, offset] = getStridesAndOffset(type);
    SmallVector<OpFoldResult> strides(sizes.size());
    AffineExpr a, b;
    bindDims(builder.getContext(), a, b);
    for (size_t i = sizes.size(); i-- > 0;)
      strides[i] =
          ShapedType::isDynamic(staticStrides[i])
              ? affine::makeComposedFoldedAffineApply(builder, copy.getLoc(), a * b, {strides[i + 1], sizes[i + 1]})
              : OpFoldResult(builder.getIndexAttr(staticStrides[i]));
    return builder.create<memref::ReinterpretCastOp>(copy.getLoc(), type, place, builder.getIndexAttr(offset), sizes,
                                                     strides);
  }

  memref::CopyOp copy;
  TouchOrders &orders;
  Block *block;
  OpBuilder builder;
  DominanceInfo dominance;
  memref::AllocOp alloc;
  bool isReshaped = false;
  linalg::FillOp fill; ///< of the destination, to stand before the source is made
  Operation *first = nullptr, *last = nullptr;
};

} // namespace

LogicalResult sinter::dropCopies(ModuleOp module) {
  SmallVector<memref::CopyOp> copies;
  module.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  TouchOrders orders(module);
  // Last first: what is copied on twice then gets its final place at once.
  for (memref::CopyOp copy : llvm::reverse(copies))
    if (std::optional<StringRef> reason = CopyDropper(copy, orders).run())
      copy->setAttr("sinter.reason", StringAttr::get(module.getContext(), *reason));
  return success();
}
