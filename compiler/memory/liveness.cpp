// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows each allocation forward through views, choices and loops, and notes the ops that touch it.
#include "liveness.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace sinter {

MemorySpace memorySpaceOf(MemRefType type) {
  auto number = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace());
  return static_cast<MemorySpace>(number ? number.getInt() : 0);
}

namespace {

/// The values that are the same memory as `use`'s, by what its owner does with it.
void appendAliases(OpOperand &use, SmallVectorImpl<Value> &aliases) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  TypeSwitch<Operation *>(op)
      .Case<scf::ForOp>([&](scf::ForOp loop) {
        unsigned carried = number - loop.getNumControlOperands();
        aliases.push_back(loop.getRegionIterArg(carried));
        aliases.push_back(loop.getResult(carried));
      })
      .Case<scf::WhileOp>([&](scf::WhileOp loop) { aliases.push_back(loop.getBeforeArguments()[number]); })
      .Case<scf::ConditionOp>([&](scf::ConditionOp condition) {
        auto loop = cast<scf::WhileOp>(condition->getParentOp());
        aliases.push_back(loop.getAfterArguments()[number - 1]);
        aliases.push_back(loop.getResult(number - 1));
      })
      .Case<scf::YieldOp>([&](scf::YieldOp yield) {
        Operation *parent = yield->getParentOp();
        if (auto loop = dyn_cast<scf::ForOp>(parent))
          aliases.push_back(loop.getRegionIterArg(number));
        if (auto loop = dyn_cast<scf::WhileOp>(parent))
          aliases.push_back(loop.getBeforeArguments()[number]);
        else
          aliases.push_back(parent->getResult(number));
      })
      .Default([&](Operation *other) {
        for (Value result : other->getResults())
          if (isa<BaseMemRefType>(result.getType()))
            aliases.push_back(result);
      });
}

/// Of the loops around `op`, the outermost that the allocation stands outside of.
Operation *outermostLoopWithout(Operation *op, Operation *alloc) {
  Operation *found = nullptr;
  for (Operation *parent = op->getParentOp(); parent && !parent->isProperAncestor(alloc);
       parent = parent->getParentOp())
    if (isa<LoopLikeOpInterface>(parent))
      found = parent;
  return found;
}

} // namespace

Lifetimes::Lifetimes(func::FuncOp function) {
  DenseMap<Operation *, int64_t> end; // position of the last op inside
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ConstantOp>(op))
      return WalkResult::skip();
    int64_t here = position.size();
    position[op] = here;
    for (Operation *loop = op->getParentOp(); loop && loop != function; loop = loop->getParentOp())
      if (isa<LoopLikeOpInterface>(loop))
        end[loop] = here;
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      buffers.push_back({alloc, memorySpaceOf(alloc.getType())});
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });

  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    SmallVector<Value> worklist{buffer.alloc.getResult()};
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      auto &valueOwners = owners[value];
      if (llvm::is_contained(valueOwners, index))
        continue;
      valueOwners.push_back(index);
      for (OpOperand &use : value.getUses()) {
        Operation *op = use.getOwner();
        appendAliases(use, worklist);
        if (isa<ViewLikeOpInterface, memref::DimOp>(op))
          continue; // says where, touches nothing
        int64_t from = position.lookup(op), to = from;
        if (Operation *loop = outermostLoopWithout(op, buffer.alloc)) {
          from = position.lookup(loop);
          to = end.lookup(loop);
        }
        buffer.first = std::min(buffer.first, from);
        buffer.last = std::max(buffer.last, to);
      }
    }
  }
}

} // namespace sinter
