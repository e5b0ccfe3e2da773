// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launches.h"

#include "ir/value_names.h"
#include "memory/aliases.h"
#include "memory/footprint.h"
#include "memory/named_values.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

#include <functional>

using namespace mlir;

namespace sinter {
namespace {

/// A buffer that an op reads or writes, all of it or a view.
struct Touch {
  Value root;
  MemRefType type;
  bool isWritten;
};

SmallVector<Touch> touchesOf(Operation *op) {
  SmallVector<Touch> touches;
  op->walk([&](Operation *inner) {
    if (isPure(inner)) // views and sizes
      return;
    for (OpOperand &operand : inner->getOpOperands())
      if (auto type = dyn_cast<MemRefType>(operand.get().getType()))
        touches.push_back({rootOf(operand.get()), type, mayWrite(operand)});
  });
  return touches;
}

/// A buffer of its own, whatever others are.
bool isOwnBuffer(Value root) {
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp, ConstantOp, OutputOp, InputOp>(root.getDefiningOp());
}

bool mayOverlap(const Touch &a, const Touch &b) {
  if (a.root == b.root)
    return !areDisjoint(footprintOf(a.type), footprintOf(b.type));
  auto oneInput = a.root.getDefiningOp<InputOp>(), other = b.root.getDefiningOp<InputOp>();
  if (oneInput && other)
    return oneInput.getIndex() == other.getIndex();
  return !isOwnBuffer(a.root) || !isOwnBuffer(b.root);
}

/// The ops themselves, those of launches among them one by one.
SmallVector<Operation *> launchPartsOf(ArrayRef<Operation *> ops) {
  SmallVector<Operation *> parts;
  for (Operation *op : ops) {
    if (auto launch = dyn_cast<LaunchOp>(op)) {
      for (Operation &inner : launch.getBody().front().without_terminator())
        parts.push_back(&inner);
    } else {
      parts.push_back(op);
    }
  }
  return parts;
}

/// Views of a buffer that has become the launch's own go along.
void takeViews(Value buffer) {
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers()))
    if (isa<ViewLikeOpInterface>(user)) {
      user->moveAfter(buffer.getDefiningOp());
      takeViews(user->getResult(0));
    }
}

} // namespace

bool isPayload(Operation *op) { return isa<linalg::LinalgOp, ConvOp, MatmulOp, KernelOp, LaunchOp>(op); }

bool areIndependent(Operation *a, Operation *b) {
  SmallVector<Touch> ofA = touchesOf(a), ofB = touchesOf(b);
  return llvm::none_of(ofA, [&](const Touch &one) {
    return llvm::any_of(
        ofB, [&](const Touch &other) { return (one.isWritten || other.isWritten) && mayOverlap(one, other); });
  });
}

bool moveUp(Operation *op, Operation *place) {
  if (op->getBlock() != place->getBlock() || !place->isBeforeInBlock(op))
    return false;
  for (Operation *between = place->getNextNode(); between != op; between = between->getNextNode())
    if (!areIndependent(op, between))
      return false;
  llvm::SetVector<Operation *> moved; // operands in front of who uses them
  std::function<bool(Operation *)> take = [&](Operation *each) {
    bool isMovable = true;
    each->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *from = operand.getDefiningOp();
        if (from && from->getBlock() == place->getBlock() && place->isBeforeInBlock(from))
          isMovable = isMovable && (isa<memref::AllocOp>(from) || isPure(from)) && take(from);
      }
    });
    moved.insert(each);
    return isMovable;
  };
  if (!take(op))
    return false;
  for (Operation *each : moved) {
    each->moveAfter(place);
    place = each;
  }
  return true;
}

bool canMeet(ArrayRef<Operation *> ops) {
  Operation *last = ops.back();
  for (Operation *op : ops.drop_back()) {
    if (op->getBlock() != last->getBlock() || !op->isBeforeInBlock(last))
      return false;
    for (Operation *between = op->getNextNode(); between != last; between = between->getNextNode())
      if (!llvm::is_contained(ops, between) && !areIndependent(op, between))
        return false;
  }
  return true;
}

std::optional<SmallVector<Operation *>> usersOf(memref::AllocOp buffer) {
  SmallVector<Operation *> users;
  bool isKnown = allTouches(buffer, [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto launch = op->getParentOfType<LaunchOp>())
      op = launch;
    if (op->getBlock() != buffer->getBlock() || op->getNumResults() > 0 || op->hasTrait<OpTrait::IsTerminator>())
      return false;
    if (!llvm::is_contained(users, op))
      users.push_back(op);
    return true;
  });
  if (!isKnown)
    return std::nullopt;
  llvm::sort(users, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return users;
}

LaunchOp makeLaunch(StringRef form, ArrayRef<Operation *> ops, function_ref<bool(memref::AllocOp)> isHeld) {
  OpBuilder builder(ops.back());
  builder.setInsertionPointAfter(ops.back());
  SmallVector<Operation *> parts = launchPartsOf(ops);
  SetVector<Value> inputs, inits;
  Location loc = withoutTag(parts.front()->getLoc());
  SmallVector<memref::AllocOp> held;
  for (Operation *part : parts) {
    auto dps = dyn_cast<DestinationStyleOpInterface>(part);
    if (!dps)
      continue;
    if (part != parts.front())
      loc = fusedLocation(loc, withoutTag(part->getLoc()));
    for (OpOperand &operand : part->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType()) || rootOf(operand.get()).getDefiningOp<memref::AllocaOp>())
        continue;
      auto buffer = rootOf(operand.get()).getDefiningOp<memref::AllocOp>();
      std::optional<SmallVector<Operation *>> users = buffer ? usersOf(buffer) : std::nullopt;
      if (users && llvm::all_of(*users, [&](Operation *user) { return llvm::is_contained(ops, user); }) &&
          isHeld(buffer)) {
        if (!llvm::is_contained(held, buffer))
          held.push_back(buffer);
        continue;
      }
      (dps.isDpsInit(&operand) ? inits : inputs).insert(operand.get());
    }
  }
  for (Value init : inits)
    inputs.remove(init);
  auto launch = builder.create<LaunchOp>(loc, form, inputs.getArrayRef(), inits.getArrayRef());
  Block &body = launch.getBody().emplaceBlock();
  for (Operation *part : parts)
    part->moveBefore(&body, body.end());
  builder.setInsertionPointToStart(&body);
  for (memref::AllocOp buffer : held) {
    auto own = builder.create<memref::AllocaOp>(buffer.getLoc(), buffer.getType(), buffer.getDynamicSizes());
    buffer.replaceAllUsesWith(own.getResult());
    takeViews(own);
    buffer.erase();
  }
  builder.setInsertionPointToEnd(&body);
  builder.create<YieldOp>(loc, ValueRange());
  for (Operation *op : ops)
    if (isa<LaunchOp>(op))
      op->erase();
  return launch;
}

} // namespace sinter
