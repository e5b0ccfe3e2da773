// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution that reads a tensor with zeros around it pads by itself: conv(insert x into zeros) is conv(x) with
// larger pads.
//
// Precondition: the tensor is x inside of a fill with 0, channels and batch not padded, at offsets known now. What is
// behind x needs no number: high pads follow from sizes.
#include "passes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace sinter {
namespace {

struct FoldPad : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp conv, PatternRewriter &rewriter) const override {
    auto insert = conv.getInput().getDefiningOp<tensor::InsertSliceOp>();
    auto fill = insert ? insert.getDest().getDefiningOp<linalg::FillOp>() : nullptr;
    if (!fill || conv.getLayout() != "nchw" ||
        !(matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) || matchPattern(fill.getInputs()[0], m_Zero())))
      return failure();
    auto x = insert.getSourceType(), whole = insert.getDestType();
    if (x.getRank() != whole.getRank() || !insert.hasUnitStride())
      return failure();
    SmallVector<int64_t> pads(conv.getPads());
    for (auto [d, offset] : llvm::enumerate(insert.getMixedOffsets())) {
      std::optional<int64_t> low = getConstantIntValue(offset);
      if (!low || (d < 2 && (*low != 0 || x.getDimSize(d) != whole.getDimSize(d))))
        return failure();
      if (d >= 2)
        pads[d - 2] += *low;
    }
    rewriter.modifyOpInPlace(conv, [&] {
      conv.getInputMutable().assign(insert.getSource());
      conv.setPads(pads);
    });
    return success();
  }
};

} // namespace

LogicalResult foldPads(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  patterns.add<FoldPad>(module.getContext());
  return applyPatternsAndFoldGreedily(module, std::move(patterns));
}

} // namespace sinter
