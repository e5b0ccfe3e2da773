// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "while_arguments.h"

using namespace mlir;

namespace sinter {

void passArgumentsOn(IRRewriter &rewriter, scf::WhileOp loop) {
  Block *before = loop.getBeforeBody(), *after = loop.getAfterBody();
  scf::ConditionOp condition = loop.getConditionOp();
  // What the condition hands on from now, and for each value so far the place of the one that stands for it.
  SmallVector<Value> passed(before->getArguments().begin(), before->getArguments().end());
  SmallVector<std::optional<size_t>> places;
  for (Value value : condition.getArgs()) {
    if (loop->isProperAncestor(value.getParentBlock()->getParentOp()) || value.getParentBlock() == before) {
      auto place = llvm::find(passed, value) - passed.begin();
      if (place == static_cast<int64_t>(passed.size()))
        passed.push_back(value);
      places.push_back(place);
    } else {
      places.push_back(std::nullopt); // made in front of the loop
    }
  }
  SmallVector<Type> types(ValueRange(passed).getTypes());
  rewriter.setInsertionPoint(loop);
  auto made = rewriter.create<scf::WhileOp>(loop.getLoc(), types, loop.getInits());
  made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  made.getBefore().takeBody(loop.getBefore());
  made.getAfter().takeBody(loop.getAfter());
  SmallVector<Location> locations(types.size(), loop.getLoc());
  unsigned oldCount = after->getNumArguments();
  after->addArguments(types, locations);
  for (auto [k, place] : llvm::enumerate(places)) {
    Value value = condition.getArgs()[k];
    after->getArgument(k).replaceAllUsesWith(place ? after->getArgument(oldCount + *place) : value);
    loop.getResult(k).replaceAllUsesWith(place ? made.getResult(*place) : value);
  }
  after->eraseArguments(0, oldCount);
  condition.getArgsMutable().assign(passed);
  rewriter.eraseOp(loop);
}

} // namespace sinter
