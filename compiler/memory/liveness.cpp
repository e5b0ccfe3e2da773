// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows each allocation forward through views, choices and loops, and notes the ops that touch it.
#include "liveness.h"

#include "aliases.h"

#include "ir/launch.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace sinter {

namespace {

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
    auto launch = op->getParentOfType<LaunchOp>();
    position[op] = launch ? position.lookup(launch) : here;
    for (Operation *loop = op->getParentOp(); loop && loop != function; loop = loop->getParentOp())
      if (isa<LoopLikeOpInterface>(loop))
        end[loop] = here;
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      buffers.push_back({alloc, spaceOf(alloc.getType())});
    return WalkResult::advance();
  });

  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    auto touch = [&, &buffer = buffer](OpOperand &use) {
      int64_t from = position.lookup(use.getOwner()), to = from;
      if (Operation *loop = outermostLoopWithout(use.getOwner(), buffer.alloc)) {
        from = position.lookup(loop);
        to = end.lookup(loop);
      }
      buffer.first = std::min(buffer.first, from);
      buffer.last = std::max(buffer.last, to);
      buffer.written |= mayWrite(use);
    };
    forEachTouch(buffer.alloc, touch, [&, index = index](Value value) { owners[value].push_back(index); });
    if (buffer.alloc->hasAttr("sinter.input")) { // the caller has written it
      buffer.first = 0;
      buffer.last = std::max<int64_t>(buffer.last, 0);
      buffer.written = true;
    } else if (buffer.alloc->hasAttr("sinter.output")) { // and will read it
      buffer.last = static_cast<int64_t>(position.size());
      buffer.first = std::min(buffer.first, buffer.last);
      buffer.written = true;
    } else if (buffer.alloc->hasAttr("sinter.text")) { // strings point into it from anywhere, outputs too
      buffer.first = 0;
      buffer.last = static_cast<int64_t>(position.size());
      buffer.written = true;
    }
  }
}

} // namespace sinter
