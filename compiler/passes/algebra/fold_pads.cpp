// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution that reads a tensor with zeros around it pads by itself: conv(insert x into zeros) is conv(x) with
// larger pads. Among integers the zero is the input's zero point.
//
// Precondition: the tensor is x inside of a fill with zero, channels and batch not padded, at offsets known now. What
// is behind x needs no number: high pads follow from sizes.
#include "passes/passes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace sinter {
namespace {

bool isZeroOf(ConvOp conv, Value value) {
  if (APInt integer; matchPattern(value, m_ConstantInt(&integer)))
    return (conv.isInputUnsigned() ? static_cast<int64_t>(integer.getZExtValue()) : integer.getSExtValue()) ==
           static_cast<int64_t>(conv.getInputZero());
  return matchPattern(value, m_AnyZeroFloat());
}

struct FoldPad : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp conv, PatternRewriter &rewriter) const override {
    auto insert = conv.getInput().getDefiningOp<tensor::InsertSliceOp>();
    auto fill = insert ? insert.getDest().getDefiningOp<linalg::FillOp>() : nullptr;
    if (!fill || conv.getLayout() != "nchw" || !isZeroOf(conv, fill.getInputs()[0]))
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
