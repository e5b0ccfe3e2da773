// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Canonical forms and common subexpressions, as upstream knows them, with sizes traced to where they come from.
#include "passes.h"

#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

LogicalResult sinter::simplify(ModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  // tensor.dim of a result becomes tensor.dim of what sized it: sizes then stand above the ops that make the tensors.
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));

  GreedyRewriteConfig config;
  config.useTopDownTraversal = true;
  config.enableRegionSimplification = GreedySimplifyRegionLevel::Normal;
  // Running out of iterations leaves valid IR, so the result is not looked at.
  (void)applyPatternsAndFoldGreedily(module, frozen, config);
  IRRewriter rewriter(context);
  DominanceInfo dominance(module);
  eliminateCommonSubExpressions(rewriter, dominance, module);
  return success();
}
