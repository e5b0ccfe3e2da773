// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The caches of attention in a sliding window may be buffers of little more than the window, from which the operator
// takes out rows as it moves on (sliding_window_cache, which ONNX Runtime GenAI's builder writes). A session's caches
// hold all rows, of which the window shows some: then the operator is that of other caches. What it computes is the
// same, and a session can go back.
#include "passes.h"

#include "graph/node_match.h"

using namespace mlir;

namespace sinter {

LogicalResult settleWindows(ModuleOp module) {
  module.walk([](NodeOp node) {
    constexpr StringLiteral slides = "sliding_window_cache";
    if (node.getOpType() != "GroupQueryAttention" || node.getDomain() != "com.microsoft" ||
        integerAttribute(node, slides).value_or(0) == 0)
      return;
    NamedAttrList attributes(node.getAttrs());
    attributes.set(slides, OpBuilder(node).getI64IntegerAttr(0));
    node.setAttrsAttr(attributes.getDictionary(node.getContext()));
  });
  return success();
}

} // namespace sinter
